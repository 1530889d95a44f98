import { type ParameterStore, ParameterVersionsError } from '../credentials/parameter-store.ts';
import type { SsmApi } from './api/ssm-api.ts';
import { hasCode } from './errors.ts';

/**
 * Parameter Store over its API. The tier follows the size, and a parameter that is advanced stays so: to ask for the
 * standard tier would be refused there for good (Systems Manager user guide, parameter tiers).
 */
export function createParameterStore(api: SsmApi): ParameterStore {
  return {
    read: async (name) => {
      try {
        const { Parameter } = await api.call('GetParameter', { Name: name, WithDecryption: true });
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
      const input = {
        Name: name,
        Value: value,
        Type: 'SecureString',
        Overwrite: true,
        Tier: 'Intelligent-Tiering',
        ...(keyId && { KeyId: keyId }),
      } as const;
      try {
        return (await api.call('PutParameter', input)).Version ?? 0;
      } catch (error) {
        if (!hasCode(error, 'ParameterMaxVersionLimitExceeded')) throw error;
        throw new ParameterVersionsError(name, { cause: error });
      }
    },
  };
}
