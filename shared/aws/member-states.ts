import { encodeMemberState, type MemberState } from '../etcd/member-state.ts';
import type { SsmApi } from './api/ssm-api.ts';
import { hasCode } from './errors.ts';

/** The parameters in which booting members find what to start as: plain text under one prefix, one for each instance. */
export interface MemberParameters {
  publish(instanceId: string, state: MemberState): Promise<void>;
  /** One that is not there is no mistake. */
  forget(instanceId: string): Promise<void>;
}

export function createMemberParameters({
  api,
  prefix,
}: {
  readonly api: SsmApi;
  readonly prefix: string;
}): MemberParameters {
  const nameOf = (instanceId: string): string => `${prefix}/${instanceId}`;
  return {
    publish: async (instanceId, state) => {
      const Value = encodeMemberState(state);
      await api.call('PutParameter', { Name: nameOf(instanceId), Value, Type: 'String', Overwrite: true });
    },
    forget: async (instanceId) => {
      try {
        await api.call('DeleteParameter', { Name: nameOf(instanceId) });
      } catch (error) {
        if (!hasCode(error, 'ParameterNotFound')) throw error;
      }
    },
  };
}
