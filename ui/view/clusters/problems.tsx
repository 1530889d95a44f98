import { Capped } from '../../parts/capped.tsx';
import { Command } from '../../parts/copy.tsx';
import { Panel } from '../../parts/section.tsx';
import { type ClusterProblem, nameOfCluster } from '../../state/clusters.ts';
import { problemWords } from '../../state/problem-words.ts';
import { age, clockTime, counted } from '../../state/words.ts';

interface ClusterProblemsProps {
  readonly problems: readonly ClusterProblem[];
  readonly now: number;
}

/** What needs an operator in any cluster, the most urgent first. Each names its cluster, and so does its command. */
export const ClusterProblems = ({ problems, now }: ClusterProblemsProps) =>
  problems.length === 0 ? null : (
    <Panel id="problems" title={counted(problems.length, 'problem')}>
      <Capped items={problems} most={50}>
        {(problem) => (
          <Row key={`${problem.stage} ${problem.subject} ${problem.message}`} problem={problem} now={now} />
        )}
      </Capped>
    </Panel>
  );

function Row({ problem, now }: { readonly problem: ClusterProblem; readonly now: number }) {
  const { subject, severity, command, page } = problem;
  const name = nameOfCluster(problem);
  const { title, text } = problemWords(problem);
  const since = Date.parse(problem.since ?? '');
  return (
    <li data-severity={severity}>
      <p>
        <strong class="title">
          {page === null ? name : <a href={page}>{name}</a>}
          {`: ${title}`}
        </strong>{' '}
        {!Number.isNaN(since) && (
          <span class="quiet">{`since ${clockTime(since, now)}, ${age(now - since)}`}</span>
        )}
      </p>
      {text !== '' && <p>{text}</p>}
      {command && (
        <p class="links">
          <Command text={command} what={`the command for ${subject} of ${name}`} />
        </p>
      )}
    </li>
  );
}
