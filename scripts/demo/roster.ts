import type { Department } from '#contract/company.ts';
import { DEMO_SIGN_INS } from './company.ts';

/** Progress of a person's identity check. `second` are approved after a rejected first one. */
export type IdentityStory =
  | 'untouched'
  | 'begun'
  | 'submitted'
  | 'in_review'
  | 'approved'
  | 'rejected'
  | 'resubmit_required'
  | 'begun_again'
  | 'second';

export interface RosterEntry {
  firstName: string;
  lastName: string;
  email: string;
  department: Department;
  position: string;
  /** Null: has been there since the first day. */
  joinedDaysAgo: number | null;
  identity: IdentityStory;
}

/** `Zoë Van der Berg` in the order given name, family name; the bar parts them. */
type Line = readonly [name: string, position: string, daysAgo?: number, story?: IdentityStory];

const PEOPLE: Record<Department, readonly Line[]> = {
  engineering: [
    ['Maya|Castellanos', 'Senior Engineer'],
    ['Priya|Raghunathan', 'Engineering Manager'],
    ['Daniel|Kowalczyk', 'Software Engineer'],
    ['João|Figueiredo', 'Site Reliability Engineer'],
    ['Keiko|Tanabe', 'Staff Engineer'],
    ['Zahra|Benali', 'Data Analyst'],
    ['Mateusz|Nowak', 'Software Engineer', 231],
    ['Ingrid|Solberg', 'Quality Engineer'],
    ['Kwame|Boateng', 'Software Engineer', 118],
    ['Hyun-woo|Park', 'Security Engineer'],
    ['Aisha|Siddiqui', 'Software Engineer', 64, 'second'],
    ['Sam|Okafor', 'Junior Engineer', 16, 'begun'],
  ],
  marketing: [
    ['Rosa|Delgado', 'Marketing Manager'],
    ['Zoë|Van der Berg', 'Brand Designer'],
    ['Noor|Al-Masri', 'Content Writer'],
    ['Camille|Laurent', 'Content Designer', 203, 'second'],
    ['Dmitri|Volkov', 'Campaign Analyst'],
    ['Ebony|Franklin', 'Event Planner', 88],
  ],
  sales: [
    ['Marcus|Whitfield', 'Sales Director'],
    ['Lucía|Herrera', 'Account Executive'],
    ["Patrick|O'Neill", 'Account Executive'],
    ['Thandiwe|Mokoena', 'Account Executive', 176],
    ['Ryan|Bergstrom', 'Sales Engineer'],
    ['Fatima Zahra|Idrissi', 'Partner Manager'],
    ['Antonio|Russo', 'Inside Sales'],
    ['Mai|Nguyen', 'Inside Sales', 41, 'in_review'],
  ],
  finance: [
    ['Eleanor|Whitcombe', 'Accounting Lead'],
    ['Tomasz|Zieliński', 'Accountant'],
    ['Ruth|Abramson', 'Accounts Payable'],
    ['Vikram|Chaudhary', 'Financial Analyst', 149],
    ['Sofia|Lindqvist', 'Tax Specialist'],
  ],
  hr: [
    ['Beatriz|Moura', 'People Partner'],
    ['Jerome|Baptiste', 'Recruiter'],
    ['Helen|Kwok', 'Benefits Specialist'],
    ['Yusuf|Demir', 'HR Coordinator', 52, 'rejected'],
  ],
  operations: [
    ['Diego|Fuentes', 'Operations Manager'],
    ['Svetlana|Petrova', 'Logistics Planner'],
    ['Malik|Robinson', 'Facilities Lead'],
    ['Anneke|de Vries', 'Procurement Specialist'],
    ['Kofi|Asante', 'Warehouse Lead', 33, 'in_review'],
    ['Tasi|Faleolo', 'Driver', 97],
  ],
  'data-entry': [
    ['Linh|Pham', 'Data Entry Clerk', 19, 'submitted'],
    ['Gloria|Mendez', 'Data Entry Clerk', 58, 'resubmit_required'],
    ['Samuel|Tesfaye', 'Data Entry Lead'],
    ['Nadia|Rahman', 'Data Entry Clerk'],
    ['Colin|Fraser', 'Data Entry Clerk', 12, 'submitted'],
  ],
  'customer-support': [
    ['Grace|Achieng', 'Support Lead'],
    ['Amara|Diallo', 'Support Specialist'],
    ['Siobhán|Doyle', 'Support Specialist'],
    ['Luis Ángel|Prieto', 'Support Specialist'],
    ['Tyrell|Jackson', 'Support Specialist'],
    ['Mei-Ling|Chou', 'Support Specialist'],
    ['Wesley|Tran', 'Support Specialist'],
    ['Hannah|Greenbaum', 'Support Specialist'],
    ['Anil|Deshpande', 'Support Specialist'],
    ['Leilani|Kahananui', 'Support Specialist', 27, 'submitted'],
    ['Omar|Haddad', 'Support Specialist', 9, 'untouched'],
  ],
  general: [
    ['Winona|Begay', 'Office Manager'],
    ['Arjun|Mehta', 'Assistant', 24, 'submitted'],
    ['Chloe|Dubois', 'Receptionist', 71, 'begun_again'],
  ],
};

/** About sixty people, department by department. */
export function readRoster(): RosterEntry[] {
  const departments = Object.keys(PEOPLE) as Department[];
  return departments.flatMap((department) =>
    PEOPLE[department].map(([name, position, joinedDaysAgo = null, identity = 'approved']) => {
      const [firstName = '', lastName = ''] = name.split('|');
      const email = emailOf(firstName, lastName);
      return { firstName, lastName, email, department, position, joinedDaysAgo, identity };
    }),
  );
}

function emailOf(firstName: string, lastName: string): string {
  const signIn = DEMO_SIGN_INS.find(({ name }) => name === `${firstName} ${lastName}`);
  if (signIn !== undefined) return signIn.email;
  const parts = [firstName, lastName].map((part) =>
    part
      .normalize('NFD')
      .replaceAll(/[^A-Za-z]/g, '')
      .toLowerCase(),
  );
  return `${parts.join('.')}@purser.test`;
}
