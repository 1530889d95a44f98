import { Capped } from '../parts/capped.tsx';
import type { PodState, PodView } from '../state/types.ts';

/** As many as a kubelet takes. Without a node there may be thousands. */
const mostPods = 250;

export const podStates: Readonly<Record<PodState, string>> = {
  running: 'running',
  pending: 'starting',
  terminating: 'ending',
  finished: 'finished',
  failed: 'failed',
};

/** The names of pods that a budget holds. */
export type Held = ReadonlySet<string>;
const noneHeld: Held = new Set();

const wordOf = ({ name, state }: PodView, held: Held): string =>
  held.has(name) ? 'held by a budget' : podStates[state];

/** `5 running, 2 ending` */
export function countPods(pods: readonly PodView[], held: Held = noneHeld): string {
  const counts = Map.groupBy(pods, (pod) => wordOf(pod, held));
  const words = [...Object.values(podStates), 'held by a budget'].flatMap((word) => {
    const count = counts.get(word)?.length ?? 0;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return words.length === 0 ? 'none' : words.join(', ');
}

/** The pods as small shapes under their count; opened, by name. */
export const Pods = ({
  pods,
  held = noneHeld,
}: {
  readonly pods: readonly PodView[];
  readonly held?: Held;
}) => (
  <details class="pods">
    <summary>
      <span class="pods-label">Pods: {countPods(pods, held)}</span>
      <span class="squares" aria-hidden="true">
        {pods.slice(0, mostPods).map((pod) => (
          <PodShape
            key={pod.uid}
            {...pod}
            held={held.has(pod.name)}
            title={`${pod.name} ${wordOf(pod, held)}`}
          />
        ))}
      </span>
    </summary>
    <Capped items={pods} most={mostPods} class="pod-names">
      {(pod) => (
        <li key={pod.uid}>
          <PodShape {...pod} held={held.has(pod.name)} />
          <span class="name">{pod.name}</span>
          <span class="quiet">{wordOf(pod, held)}</span>
        </li>
      )}
    </Capped>
  </details>
);

export const PodShape = ({
  state,
  daemon,
  held = false,
  title,
}: Pick<PodView, 'state' | 'daemon'> & { readonly held?: boolean; readonly title?: string }) => (
  <span
    class="pod"
    aria-hidden="true"
    data-state={held ? 'held' : state}
    data-daemon={daemon ? '' : undefined}
    title={title}
  />
);
