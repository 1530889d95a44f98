import { memo } from '../../parts/memo.ts';
import { Panel } from '../../parts/section.tsx';
import type { QueueView } from '../../state/types.ts';

/** The queues that hold messages; those that are empty as their number. */
export const Queues = memo(({ queues }: { readonly queues: readonly QueueView[] }) => {
  const full = queues.filter(({ visible, inFlight, delayed }) => visible + inFlight + delayed > 0);
  const empty = queues.length - full.length;
  return (
    <Panel id="queues" title="Queues">
      {full.length > 0 && (
        <table>
          <thead>
            <tr>
              {['Queue', 'Waiting', 'In flight', 'Delayed'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {full.map((queue) => (
              <QueueRow key={queue.queueName} queue={queue} />
            ))}
          </tbody>
        </table>
      )}
      <p class="quiet">
        {empty === 0 ? '' : `${empty} ${full.length === 0 ? 'queues, all empty' : 'more are empty'}`}
      </p>
    </Panel>
  );
});

function QueueRow({
  queue: { queueName, deadLetters, visible, inFlight, delayed },
}: {
  readonly queue: QueueView;
}) {
  const isAlarming = deadLetters && visible + inFlight + delayed > 0;
  return (
    <tr data-alarm={isAlarming ? '' : undefined}>
      <th scope="row">
        {queueName}
        {deadLetters && <small class="quiet"> dead letters</small>}
      </th>
      {[visible, inFlight, delayed].map((count, index) => (
        <td key={index} data-none={count === 0 ? '' : undefined}>
          {count}
        </td>
      ))}
    </tr>
  );
}
