import type { EndpointStatus } from './cluster.ts';

/** An etcd that lives on an instance. */
export interface SignOfLife {
  readonly instanceId: string;
  /** Absent where it refuses our certificate. */
  readonly clusterId?: string;
  /** For people. */
  readonly what: string;
}

/** The instances on which an etcd lives: it answers, with quorum or without, or one side refuses the other's certificate. */
export const signsOfLife = (statuses: ReadonlyMap<string, EndpointStatus>): readonly SignOfLife[] =>
  [...statuses].flatMap(([instanceId, status]): readonly SignOfLife[] => {
    if (status.kind === 'answers')
      return [{ instanceId, clusterId: status.clusterId, what: `etcd answers on ${instanceId}` }];
    return status.why === 'certificate'
      ? [
          {
            instanceId,
            what: `an etcd listens on ${instanceId}, and a certificate is refused (${status.message})`,
          },
        ]
      : [];
  });
