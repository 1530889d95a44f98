import type { KubernetesObject, Stored } from '../store/object.ts';

interface Snapshot {
  readonly items: readonly Stored<KubernetesObject>[];
  readonly next: number;
  readonly revision: number;
}

/** The rest of lists that were given out in pages, under the tokens to go on with; old ones are forgotten. */
export interface Snapshots {
  keep(snapshot: Snapshot): string;
  take(token: string): Snapshot | undefined;
}

const kept = 64;

export function createSnapshots(): Snapshots {
  const snapshots = new Map<string, Snapshot>();
  let count = 0;
  return {
    keep: (snapshot) => {
      count += 1;
      const position = { v: 'meta.k8s.io/v1', rv: snapshot.revision, start: `${count}` };
      const token = Buffer.from(JSON.stringify(position)).toString('base64url');
      snapshots.set(token, snapshot);
      const [oldest] = snapshots.keys();
      if (snapshots.size > kept && oldest !== undefined) snapshots.delete(oldest);
      return token;
    },
    take: (token) => snapshots.get(token),
  };
}
