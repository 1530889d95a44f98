import type { Clock } from '../../../shared/base/clock.ts';
import type { ParameterStore, StoredParameter } from '../../../shared/credentials/parameter-store.ts';

export interface FakeParameterStore extends ParameterStore {
  readonly stored: Map<string, StoredParameter & { readonly keyId?: string }>;
}

export function createFakeParameterStore(clock: Clock): FakeParameterStore {
  const stored: FakeParameterStore['stored'] = new Map();
  return {
    stored,
    read: (name) => Promise.resolve(stored.get(name)),
    write: ({ name, value, keyId }) => {
      const version = (stored.get(name)?.version ?? 0) + 1;
      stored.set(name, { value, version, modifiedAt: clock.now(), ...(keyId && { keyId }) });
      return Promise.resolve(version);
    },
  };
}
