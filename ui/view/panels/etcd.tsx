import { memo } from '../../parts/memo.ts';
import { Panel } from '../../parts/section.tsx';
import type { EtcdView } from '../../state/types.ts';
import { counted, duration } from '../../state/words.ts';

/** The members of etcd, their quorum, and the age of the newest snapshot. */
export const Etcd = memo(({ etcd, now }: { readonly etcd: EtcdView | undefined; readonly now: number }) =>
  etcd === undefined ? null : (
    <Panel id="etcd" title="etcd">
      <p data-tone={etcd.servingVoters < etcd.quorum ? 'bad' : undefined}>
        {counted(etcd.voters, 'voter')}, {etcd.servingVoters} of them serving; quorum {etcd.quorum}
      </p>
      <p>
        {etcd.snapshotAt === undefined
          ? 'No snapshot yet'
          : `Newest snapshot ${duration(now - etcd.snapshotAt)} ago`}
      </p>
      <ul>
        {etcd.members.map(({ instanceId, standing, serves, leads }) => (
          <li key={instanceId}>
            <a class="subject" href={`#${instanceId}`}>
              {instanceId}
            </a>
            <span data-standing={standing}>
              {standing}
              {leads && ', leader'}
              {!serves && ', not serving'}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  ),
);
