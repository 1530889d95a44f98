import type { Pod } from 'kubernetes-types/core/v1.d.ts';

const prefix = 'cloud-sandbox/';

/** What a test can ask of a pod's containers, as annotations `cloud-sandbox/...` in seconds. */
export interface PodBehaviour {
  /** `start-seconds`: from being bound to running. */
  readonly startSeconds?: number;
  /** `ready-seconds`: from running to ready; `never` keeps it unready. */
  readonly readySeconds: number | undefined;
  /** `stop-seconds`: from the request to end until the end, if its grace is not over before. */
  readonly stopSeconds?: number;
  /** `run-seconds`: it ends by itself with success. */
  readonly runSeconds?: number;
}

export function behaviourOf({ metadata }: Pod): PodBehaviour {
  const annotation = (name: string): string | undefined => metadata?.annotations?.[`${prefix}${name}`];
  const seconds = (name: string): number | undefined => {
    const value = annotation(name);
    return value === undefined || Number.isNaN(Number(value)) ? undefined : Number(value);
  };
  const [startSeconds, stopSeconds, runSeconds] = [
    seconds('start-seconds'),
    seconds('stop-seconds'),
    seconds('run-seconds'),
  ];
  return {
    readySeconds: annotation('ready-seconds') === 'never' ? undefined : (seconds('ready-seconds') ?? 0),
    ...(startSeconds !== undefined && { startSeconds }),
    ...(stopSeconds !== undefined && { stopSeconds }),
    ...(runSeconds !== undefined && { runSeconds }),
  };
}
