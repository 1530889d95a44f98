import { GetParameterCommand, PutParameterCommand, type SSMClient } from '@aws-sdk/client-ssm';
import { type ParameterStore, ParameterVersionsError } from '../credentials/parameter-store.ts';
import { hasCode } from './errors.ts';

/** A standard parameter holds 4 KB, an advanced one 8 KB; the tier follows the size (Systems Manager user guide). */
const standardBytes = 4096;

/** Parameter Store over the AWS SDK. */
export function createParameterStore(client: SSMClient): ParameterStore {
  return {
    read: async (name) => {
      try {
        const { Parameter } = await client.send(
          new GetParameterCommand({ Name: name, WithDecryption: true }),
        );
        if (Parameter?.Value === undefined) return undefined;
        return {
          value: Parameter.Value,
          version: Parameter.Version ?? 0,
          modifiedAt: Parameter.LastModifiedDate?.getTime() ?? 0,
        };
      } catch (error) {
        if (hasCode(error, 'ParameterNotFound')) return undefined;
        throw error;
      }
    },
    write: async ({ name, value, keyId }) => {
      const command = new PutParameterCommand({
        Name: name,
        Value: value,
        Type: 'SecureString',
        Overwrite: true,
        Tier: Buffer.byteLength(value) > standardBytes ? 'Advanced' : 'Standard',
        ...(keyId && { KeyId: keyId }),
      });
      try {
        return (await client.send(command)).Version ?? 0;
      } catch (error) {
        if (!hasCode(error, 'ParameterMaxVersionLimitExceeded')) throw error;
        throw new ParameterVersionsError(name, { cause: error });
      }
    },
  };
}
