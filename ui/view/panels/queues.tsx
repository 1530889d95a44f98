import { memo } from '../../parts/memo.ts';
import { Panel } from '../../parts/section.tsx';
import type { QueueView } from '../../state/types.ts';

export const Queues = memo(({ queues }: { readonly queues: readonly QueueView[] }) => (
  <Panel id="queues" title="Queues">
    {queues.length === 0 ? (
      <p class="nothing">No queues.</p>
    ) : (
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
          {queues.map((queue) => (
            <QueueRow key={queue.queueName} queue={queue} />
          ))}
        </tbody>
      </table>
    )}
  </Panel>
));

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
