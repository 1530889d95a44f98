import { shellWord } from '../../../shared/base/shell-words.ts';
import { DroverCommand } from '../../parts/copy.tsx';
import { memo } from '../../parts/memo.ts';
import { Panel } from '../../parts/section.tsx';
import type { RequestView } from '../../state/types.ts';
import { duration, shortName } from '../../state/words.ts';

/** Certificate requests that Drover refused or has not approved. */
export const Requests = memo(
  ({ requests, now }: { readonly requests: readonly RequestView[]; readonly now: number }) =>
    requests.length === 0 ? null : (
      <Panel id="requests" title="Certificates not given">
        <ul>
          {requests.map((request) => (
            <li key={request.name} data-state={request.state}>
              <p>
                <strong>{request.state === 'denied' ? 'Denied' : 'Not approved'}</strong>: a {request.kind}{' '}
                certificate for {shortName(request.nodeName) || 'an unreadable name'}
                <span class="quiet">
                  {' '}
                  · asked by {request.requester} {duration(now - request.at)} ago
                  {request.times !== undefined && `, ${request.times} times so far`}
                </span>
              </p>
              {request.reason !== undefined && <p class="reason">{request.reason}</p>}
              <DroverCommand
                args={`csr explain ${shellWord(request.name)}`}
                what="the command that explains it"
              />
            </li>
          ))}
        </ul>
      </Panel>
    ),
);
