import { useContext } from 'preact/hooks';
import { Capped } from '../parts/capped.tsx';
import { Command, DroverCommand } from '../parts/copy.tsx';
import { Doings } from '../parts/doing.ts';
import { memo } from '../parts/memo.ts';
import { Panel } from '../parts/section.tsx';
import { problemWords } from '../state/problem-words.ts';
import type { ProblemView } from '../state/types.ts';
import { age, clockTime } from '../state/words.ts';

interface ProblemsProps {
  readonly problems: readonly ProblemView[];
  /** In whole minutes. */
  readonly now: number;
}

/** What needs an operator, in the order of `drover status`, each with what to do about it. */
export const Problems = memo(({ problems, now }: ProblemsProps) =>
  problems.length === 0 ? null : (
    <Panel id="problems" title={problems.length === 1 ? '1 problem' : `${problems.length} problems`}>
      <Capped items={problems} most={20}>
        {(problem) => <Row key={`${problem.subject} ${problem.message}`} problem={problem} now={now} />}
      </Capped>
    </Panel>
  ),
);

function Row({ problem, now }: { readonly problem: ProblemView; readonly now: number }) {
  const { showEvents } = useContext(Doings);
  const { subject, severity, command, alarm } = problem;
  const { title, text } = problemWords(problem);
  const since = Date.parse(problem.since ?? '');
  return (
    <li data-severity={severity}>
      <p>
        <strong class="title">{title}</strong>{' '}
        {!Number.isNaN(since) && (
          <span class="quiet">{`since ${clockTime(since, now)}, ${age(now - since)}`}</span>
        )}
      </p>
      {text !== '' && <p>{text}</p>}
      <p class="links">
        {command && <Remedy command={command} what={`the command for ${subject}`} />}
        {subject !== alarm && (
          <button type="button" onClick={() => showEvents(subject)}>
            Events<span class="visually-hidden"> of {subject}</span>
          </button>
        )}
      </p>
    </li>
  );
}

const Remedy = ({ command, what }: { readonly command: string; readonly what: string }) =>
  command.startsWith('drover ') ? (
    <DroverCommand args={command.slice('drover '.length)} what={what} />
  ) : (
    <Command text={command} what={what} />
  );
