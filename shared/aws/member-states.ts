import { DeleteParameterCommand, PutParameterCommand, type SSMClient } from '@aws-sdk/client-ssm';
import { batched } from '../base/batched.ts';
import { encodeMemberState, type MemberState } from '../etcd/member-state.ts';
import { hasCode } from './errors.ts';
import { readValues } from './parameters.ts';

/** The parameters in which booting members find what to start as: plain text under one prefix, one for each instance. */
export interface MemberParameters {
  /** Writes the parameter unless it has this text already. */
  publish(instanceId: string, state: MemberState): Promise<void>;
  /** One that is not there is no mistake. */
  forget(instanceId: string): Promise<void>;
}

/** "Array Members: Minimum number of 1 item. Maximum number of 10 items" (SSM API reference, GetParameters). */
const namesPerCall = 10;

export function createMemberParameters({
  client,
  prefix,
}: {
  readonly client: SSMClient;
  readonly prefix: string;
}): MemberParameters {
  const nameOf = (instanceId: string): string => `${prefix}/${instanceId}`;
  const read = batched<string, string>({ limit: namesPerCall, load: (names) => readValues(client, names) });
  return {
    publish: async (instanceId, state) => {
      const Name = nameOf(instanceId);
      const Value = encodeMemberState(state);
      if ((await read(Name)) === Value) return;
      await client.send(new PutParameterCommand({ Name, Value, Type: 'String', Overwrite: true }));
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
