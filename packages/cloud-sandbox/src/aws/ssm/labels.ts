import { AwsError } from '../service.ts';
import { versionNotFound } from './errors.ts';
import { latest, type ParameterVersion, type StoredParameter } from './parameter.ts';

const maximumLabels = 10;
const labelPattern = /^(?!\d|aws|ssm)[\w.-]{1,100}$/i;

function versionOf(parameter: StoredParameter, number: number | undefined): ParameterVersion {
  if (number === undefined) return latest(parameter);
  const found = parameter.versions.find(({ version }) => version === number);
  if (found === undefined) throw versionNotFound(parameter.name, String(number));
  return found;
}

export interface LabelRequest {
  readonly version: number | undefined;
  readonly labels: readonly string[];
}

/**
 * LabelParameterVersion: "a label can be attached to only one version of a parameter at a time" and moves; labels that
 * break the rules are named in the answer and not attached (Systems Manager user guide, parameter labels).
 */
export function attachLabels(parameter: StoredParameter, request: LabelRequest) {
  const target = versionOf(parameter, request.version);
  const valid = request.labels.filter((label) => labelPattern.test(label));
  if (new Set([...target.labels, ...valid]).size > maximumLabels) {
    const message = `A parameter version can have at most ${maximumLabels} labels.`;
    throw new AwsError({ code: 'ParameterVersionLabelLimitExceeded', message });
  }
  for (const label of valid) {
    for (const version of parameter.versions) version.labels.delete(label);
    target.labels.add(label);
  }
  return {
    InvalidLabels: request.labels.filter((label) => !valid.includes(label)),
    ParameterVersion: target.version,
  };
}

/** UnlabelParameterVersion. */
export function detachLabels(parameter: StoredParameter, request: LabelRequest) {
  const target = versionOf(parameter, request.version);
  const RemovedLabels = request.labels.filter((label) => target.labels.delete(label));
  return { RemovedLabels, InvalidLabels: request.labels.filter((label) => !RemovedLabels.includes(label)) };
}
