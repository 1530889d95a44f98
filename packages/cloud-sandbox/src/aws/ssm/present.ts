import { createHash } from 'node:crypto';
import type { Parameter, ParameterHistory, ParameterMetadata } from '@aws-sdk/client-ssm';
import { latest, type ParameterVersion, type StoredParameter } from './parameter.ts';
import type { Selection } from './world.ts';

const encryptedMarker = 'AQICAHsandbox';

/** What a SecureString shows without decryption: opaque, the same for the same version, and never the value. */
function valueOf(
  parameter: StoredParameter,
  version: ParameterVersion,
  decrypt: boolean | undefined,
): string {
  if (parameter.type !== 'SecureString' || decrypt === true) return version.value;
  const digest = createHash('sha256').update(`${parameter.arn}:${version.version}`).digest('base64');
  return `${encryptedMarker}${digest}`;
}

export const presentParameter = (
  { parameter, version, selector }: Selection,
  decrypt: boolean | undefined,
): Parameter => ({
  Name: parameter.name,
  Type: parameter.type,
  Value: valueOf(parameter, version, decrypt),
  Version: version.version,
  Selector: selector,
  LastModifiedDate: new Date(version.modifiedAt),
  ARN: parameter.arn,
  DataType: version.dataType,
});

const metadataOf = (parameter: StoredParameter, version: ParameterVersion): ParameterMetadata => ({
  Name: parameter.name,
  Type: parameter.type,
  KeyId: version.keyId,
  LastModifiedDate: new Date(version.modifiedAt),
  LastModifiedUser: version.modifiedBy,
  Description: version.description,
  AllowedPattern: version.allowedPattern,
  Version: version.version,
  Tier: version.tier,
  Policies: [],
  DataType: version.dataType,
});

export const presentMetadata = (parameter: StoredParameter): ParameterMetadata => ({
  ...metadataOf(parameter, latest(parameter)),
  ARN: parameter.arn,
});

export const presentHistory = (
  parameter: StoredParameter,
  version: ParameterVersion,
  decrypt: boolean | undefined,
): ParameterHistory => ({
  ...metadataOf(parameter, version),
  Value: valueOf(parameter, version, decrypt),
  Labels: [...version.labels],
});
