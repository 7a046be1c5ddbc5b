import type { KycApplication } from '#contract/api.ts';
import type { ApplicationDocumentType } from '#contract/kyc.ts';
import type { Upload } from '#web/kit/use-upload.ts';
import { ComplianceStep } from './step-compliance.tsx';
import { ContactStep } from './step-contact.tsx';
import { EmploymentStep } from './step-employment.tsx';
import { IdentificationStep } from './step-identification.tsx';
import { PersonalStep } from './step-personal.tsx';
import { SecurityStep } from './step-security.tsx';
import type { Wizard } from './use-wizard.ts';
import { stepAt } from './wizard-plan.ts';

interface StepContentProps {
  step: number;
  wizard: Wizard;
  application: KycApplication;
  uploads: Record<ApplicationDocumentType, Upload>;
}

/** The fields of one of the steps that ask something. */
export function StepContent({ step, wizard, application, uploads }: StepContentProps) {
  switch (stepAt(step).section) {
    case 'personal':
      return <PersonalStep wizard={wizard} />;
    case 'contact':
      return <ContactStep wizard={wizard} />;
    case 'identification':
      return (
        <IdentificationStep
          wizard={wizard}
          documents={application.documents}
          notes={application.resubmissionNotes}
          uploads={uploads}
        />
      );
    case 'employment':
      return <EmploymentStep wizard={wizard} />;
    case 'security':
      return (
        <SecurityStep
          wizard={wizard}
          isAnswered={application.answered.includes('securityAnswerHash')}
        />
      );
    case 'compliance':
      return <ComplianceStep wizard={wizard} />;
    default:
      return null;
  }
}
