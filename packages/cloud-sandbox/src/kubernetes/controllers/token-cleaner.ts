import type { Secret } from 'kubernetes-types/core/v1.d.ts';
import { isExpired } from '../authn/bootstrap-token.ts';
import type { Registry } from '../registry/registry.ts';
import { keyOf, type Stored } from '../store/object.ts';
import { createWorkQueue, splitKey } from './work-queue.ts';

/** Deletes bootstrap tokens once they have expired. */
export function startTokenCleaner(registry: Registry): void {
  const { store, clock } = registry;
  const queue = createWorkQueue(clock, (key) => {
    const secret = store.of('secrets').get(...splitKey(key));
    if (secret === undefined) return;
    if (isExpired(secret, clock.now())) registry.delete('secrets', secret);
    else planNext(secret);
  });
  const planNext = (secret: Stored<Secret>): void => {
    const expiration = Date.parse(Buffer.from(secret.data?.['expiration'] ?? '', 'base64').toString());
    if (!Number.isNaN(expiration)) queue.addAfter(keyOf(secret), expiration - clock.now() + 1_000);
  };
  store.of('secrets').subscribe(({ type, object }) => {
    const isToken =
      object.type === 'bootstrap.kubernetes.io/token' && object.metadata.namespace === 'kube-system';
    if (type !== 'DELETED' && isToken) queue.add(keyOf(object));
  });
}
