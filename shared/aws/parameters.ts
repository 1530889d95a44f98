import { GetParameterCommand, PutParameterCommand, type SSMClient } from '@aws-sdk/client-ssm';
import { type ParameterStore, ParameterVersionsError } from '../credentials/parameter-store.ts';
import { hasCode } from './errors.ts';
import { required } from './unreadable-answer.ts';

/**
 * Parameter Store over its API. The tier follows the size, and a parameter that is advanced stays so: to ask for the
 * standard tier would be refused there for good (Systems Manager user guide, parameter tiers).
 */
export function createParameterStore(client: SSMClient): ParameterStore {
  return {
    read: async (name) => {
      try {
        const { Parameter, $metadata } = await client.send(
          new GetParameterCommand({ Name: name, WithDecryption: true }),
        );
        return {
          value: required(Parameter?.Value, { name: 'Parameter', $metadata }),
          version: Parameter?.Version ?? 0,
          modifiedAt: Parameter?.LastModifiedDate?.getTime() ?? 0,
        };
      } catch (error) {
        if (hasCode(error, 'ParameterNotFound')) return undefined;
        throw error;
      }
    },
    write: async ({ name, value, keyId }) => {
      const input = {
        Name: name,
        Value: value,
        Type: 'SecureString',
        Overwrite: true,
        Tier: 'Intelligent-Tiering',
        ...(keyId && { KeyId: keyId }),
      } as const;
      try {
        return (await client.send(new PutParameterCommand(input))).Version ?? 0;
      } catch (error) {
        if (!hasCode(error, 'ParameterMaxVersionLimitExceeded')) throw error;
        throw new ParameterVersionsError(name, { cause: error });
      }
    },
  };
}
