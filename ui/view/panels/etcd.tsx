import { memo } from '../../parts/memo.ts';
import { Panel } from '../../parts/section.tsx';
import type { EtcdStatusView, EtcdView } from '../../state/types.ts';
import { counted, duration } from '../../state/words.ts';

interface EtcdProps {
  readonly etcd: EtcdView | undefined;
  readonly status: EtcdStatusView | undefined;
  readonly now: number;
}

/** The members of etcd, their quorum, and the age of the newest snapshot; or what Drover last wrote, where members are not asked. */
export const Etcd = memo(({ etcd, status, now }: EtcdProps) => {
  if (etcd) return <Members etcd={etcd} now={now} />;
  return (
    status && (
      <Panel id="etcd" title="etcd">
        <p data-tone={status.state === 'attention' ? 'bad' : undefined}>{status.reason}</p>
      </Panel>
    )
  );
});

const Members = ({ etcd, now }: { readonly etcd: EtcdView; readonly now: number }) => (
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
);
