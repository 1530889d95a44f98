import { DeleteParameterCommand, PutParameterCommand, type SSMClient } from '@aws-sdk/client-ssm';
import { encodeMemberState, type MemberState } from '../etcd/member-state.ts';
import { hasCode } from './errors.ts';

/** The parameters in which booting members find what to start as: plain text under one prefix, one for each instance. */
export interface MemberParameters {
  publish(instanceId: string, state: MemberState): Promise<void>;
  /** One that is not there is no mistake. */
  forget(instanceId: string): Promise<void>;
}

export function createMemberParameters({
  client,
  prefix,
}: {
  readonly client: SSMClient;
  readonly prefix: string;
}): MemberParameters {
  const nameOf = (instanceId: string): string => `${prefix}/${instanceId}`;
  return {
    publish: async (instanceId, state) => {
      const Value = encodeMemberState(state);
      const input = { Name: nameOf(instanceId), Value, Type: 'String', Overwrite: true } as const;
      await client.send(new PutParameterCommand(input));
    },
    forget: async (instanceId) => {
      try {
        await client.send(new DeleteParameterCommand({ Name: nameOf(instanceId) }));
      } catch (error) {
        if (!hasCode(error, 'ParameterNotFound')) throw error;
      }
    },
  };
}
