import type { EndpointStatus } from './cluster.ts';

const advice: Readonly<Record<string, string>> = {
  NOSPACE:
    'its database has reached its quota, so Kubernetes can write nothing: compact and defragment it or raise --quota-backend-bytes, then run etcdctl alarm disarm',
  CORRUPT: "its data differs from that of the others: see etcd's documentation of data corruption",
};

/** The alarms that members of the cluster report, one sentence each. Every member reports the alarms of all. */
export function alarmProblems(
  statuses: ReadonlyMap<string, EndpointStatus>,
  clusterId: string,
): readonly string[] {
  const answers = [...statuses].flatMap(([instanceId, status]) =>
    status.kind === 'answers' && status.clusterId === clusterId ? [{ instanceId, ...status }] : [],
  );
  const alarms = answers.flatMap(({ alarms: raised }) => raised);
  return [
    ...new Set(
      alarms.map(({ memberId, name }) => {
        const instanceId = answers.find((one) => one.memberId === memberId)?.instanceId;
        return `etcd has raised the alarm ${name} on ${instanceId ?? `member ${memberId}`}${advice[name] ? `: ${advice[name]}` : ''}`;
      }),
    ),
  ];
}
