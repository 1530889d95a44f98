import { useContext } from 'preact/hooks';
import { Doings } from '../../parts/doing.ts';
import { memo } from '../../parts/memo.ts';
import { Moment } from '../../parts/section.tsx';
import type { FoldedEvent } from '../../state/events.ts';
import { dateTime, timeOfDay } from '../../state/words.ts';

const day = 86_400_000;

/** An event: when, of what kind and about what; then what it says. */
export const EventRow = memo(({ event, now }: { readonly event: FoldedEvent; readonly now: number }) => {
  const { at, kind, text, pass, isFailure } = event;
  const isToday = Math.floor(at / day) === Math.floor(now / day);
  return (
    <li data-failure={isFailure ? '' : undefined}>
      <p class="event-about">
        <Moment at={at} text={isToday ? timeOfDay(at) : dateTime(at)} />
        <span class="outcome" data-outcome={kind}>
          {kind}
        </span>
        {pass && <Subject name={pass.subject} />}
      </p>
      <p class="event-text">
        {text}
        <span class="quiet">{figures(event)}</span>
        {pass && <Log name={pass.work} />}
      </p>
    </li>
  );
});

/** An instance is a link to it. */
const Subject = ({ name }: { readonly name: string }) =>
  /^i-[0-9a-f]+$/.test(name) ? (
    <a class="subject" href={`#${name}`}>
      {name}
    </a>
  ) : (
    <span class="subject">{name}</span>
  );

/** The log group of the function, if there is an account. */
function Log({ name }: { readonly name: string }) {
  const { links } = useContext(Doings);
  return links?.log ? (
    <>
      {' '}
      <a href={links.log(name)} target="_blank" rel="noreferrer">
        log<span class="visually-hidden"> of {name}</span>
      </a>
    </>
  ) : null;
}

function figures({ pass, times, firstAt }: FoldedEvent): string {
  const { seconds, afterSeconds, outcome } = pass ?? {};
  const took = seconds === undefined ? '' : ` · took ${seconds.toFixed(1)}\u00a0s`;
  const again =
    afterSeconds !== undefined && outcome !== 'done' ? ` · again in ${Math.ceil(afterSeconds)}\u00a0s` : '';
  return `${took}${again}${times > 1 ? ` · ${times} times since ${timeOfDay(firstAt)}` : ''}`;
}
