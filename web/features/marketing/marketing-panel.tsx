import { Pause, Play } from 'lucide-react';
import { useId, useRef, type KeyboardEvent } from 'react';
import { Icon } from '#web/ui/icon.tsx';
import { SLIDES } from './slides.tsx';
import { useRotation } from './use-rotation.ts';

/** Slide that an arrow key selects. Undefined for any other key. */
function slideAfterKey(key: string, shown: number): number | undefined {
  const last = SLIDES.length - 1;
  if (key === 'ArrowRight') return shown === last ? 0 : shown + 1;
  if (key === 'ArrowLeft') return shown === 0 ? last : shown - 1;
  if (key === 'Home') return 0;
  return key === 'End' ? last : undefined;
}

/** Presentation of Purser in four slides next to the sign-up form. */
export function MarketingPanel() {
  const { shown, show, isPaused, setIsPaused, hold, release } = useRotation(SLIDES.length);
  const id = useId();
  const tabList = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent): void {
    const next = slideAfterKey(event.key, shown);
    if (next === undefined) return;
    event.preventDefault();
    show(next);
    tabList.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  }

  return (
    <section
      className="panel"
      aria-label="What Purser does"
      aria-roledescription="carousel"
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <div className="slides">
        {SLIDES.map((slide, index) => (
          <div
            key={slide.id}
            id={`${id}-${slide.id}`}
            className={index === shown ? 'slide on' : 'slide'}
            role="tabpanel"
            aria-label={slide.title}
            aria-hidden={index !== shown}
          >
            <h2>{slide.title}</h2>
            <p>{slide.line}</p>
            {slide.slip}
          </div>
        ))}
      </div>
      <div className="slide-nav">
        <div role="tablist" aria-label="Features" ref={tabList}>
          {SLIDES.map((slide, index) => (
            <button
              key={slide.id}
              type="button"
              role="tab"
              aria-selected={index === shown}
              aria-controls={`${id}-${slide.id}`}
              tabIndex={index === shown ? 0 : -1}
              onClick={() => show(index)}
              onKeyDown={onKeyDown}
            >
              {slide.title}
            </button>
          ))}
        </div>
        <button
          type="button"
          className="pause"
          aria-label={isPaused ? 'Play rotation' : 'Pause rotation'}
          onClick={() => setIsPaused(!isPaused)}
        >
          <Icon of={isPaused ? Play : Pause} size={16} />
        </button>
      </div>
      <p className="tagline">
        <span>Instant salary access</span>
        <span>Zero hidden fees</span>
        <span>Bank-grade security</span>
      </p>
    </section>
  );
}
