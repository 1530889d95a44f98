import type { ParameterTier, PutParameterCommandInput } from '@aws-sdk/client-ssm';
import { AwsError } from '../service.ts';
import { validation } from './errors.ts';
import { checkName } from './name-rules.ts';
import { latest, type ParameterVersion, type StoredParameter } from './parameter.ts';
import { announceChange, arnOf, type SsmWorld } from './world.ts';

const standardBytes = 4096;
const advancedBytes = 8192;
const maximumVersions = 100;
const defaultKey = 'alias/aws/ssm';

/** PutParameter: a new parameter, or a new version of one. */
export function putParameter(world: SsmWorld, input: PutParameterCommandInput, modifiedBy: string) {
  const name = input.Name ?? '';
  checkName(name);
  const existing = world.parameters.get(name);
  checkRequest(input, existing);
  const version = newVersion(world, input, { existing, modifiedBy });
  const parameter = existing ?? create(world, name, input);
  makeRoom(parameter);
  parameter.versions.push(version);
  world.parameters.set(name, parameter);
  announceChange(world, parameter, existing === undefined ? 'Create' : 'Update');
  return { Version: version.version, Tier: version.tier };
}

function create(world: SsmWorld, name: string, input: PutParameterCommandInput): StoredParameter {
  return {
    name,
    arn: arnOf(world, name),
    type: input.Type ?? 'String',
    versions: [],
    tags: new Map((input.Tags ?? []).map(({ Key = '', Value = '' }) => [Key, Value])),
  };
}

function checkRequest(input: PutParameterCommandInput, existing: StoredParameter | undefined): void {
  if (input.Policies !== undefined && input.Policies !== '') {
    throw validation('This sandbox does not simulate parameter policies (Policies).');
  }
  if (input.Overwrite === true && (input.Tags ?? []).length > 0) {
    throw validation(
      "Invalid request: tags and overwrite can't be used together. To create a parameter with tags, please remove overwrite flag. To update tags for an existing parameter, please use AddTagsToResource or RemoveTagsFromResource.",
    );
  }
  if (existing === undefined) {
    if (input.Type === undefined)
      throw validation('A parameter type is required when you create a parameter.');
    return;
  }
  if (input.Overwrite !== true) {
    const message =
      'The parameter already exists. To overwrite this value, set the overwrite option in the request to true.';
    throw new AwsError({ code: 'ParameterAlreadyExists', message });
  }
  if (input.Type !== undefined && input.Type !== existing.type) {
    const message = `The parameter ${existing.name} is a ${existing.type}; its type cannot be changed. Create a new parameter.`;
    throw new AwsError({ code: 'HierarchyTypeMismatchException', message });
  }
}

function newVersion(
  world: SsmWorld,
  input: PutParameterCommandInput,
  { existing, modifiedBy }: { readonly existing: StoredParameter | undefined; readonly modifiedBy: string },
): ParameterVersion {
  const before = existing === undefined ? undefined : latest(existing);
  const allowedPattern = input.AllowedPattern ?? before?.allowedPattern;
  const value = input.Value ?? '';
  if (value === '') throw validation('Parameter value must not be empty.');
  checkPattern(value, allowedPattern);
  const secure = (existing?.type ?? input.Type) === 'SecureString';
  return {
    version: (before?.version ?? 0) + 1,
    value,
    tier: tierOf(input, before?.tier),
    dataType: input.DataType ?? before?.dataType ?? 'text',
    description: input.Description ?? before?.description,
    allowedPattern,
    keyId: secure ? (input.KeyId ?? before?.keyId ?? defaultKey) : undefined,
    modifiedAt: world.clock.now(),
    modifiedBy,
    labels: new Set(),
  };
}

function checkPattern(value: string, allowedPattern: string | undefined): void {
  if (allowedPattern === undefined || compile(allowedPattern).test(value)) return;
  const message = `Parameter value, cannot be validated against allowedPattern: ${allowedPattern}`;
  throw new AwsError({ code: 'ParameterPatternMismatchException', message });
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unreadable';
    throw new AwsError({
      code: 'InvalidAllowedPatternException',
      message: `The allowed pattern is not valid: ${why}`,
    });
  }
}

/** Standard takes 4 KB, advanced 8 KB; a parameter never comes back from advanced (user guide, parameter tiers). */
function tierOf(input: PutParameterCommandInput, before: ParameterTier | undefined): ParameterTier {
  const bytes = Buffer.byteLength(input.Value ?? '');
  const intelligent = input.Tier === 'Intelligent-Tiering';
  const asked = intelligent ? (bytes > standardBytes ? 'Advanced' : 'Standard') : input.Tier;
  if (input.Tier === 'Standard' && before === 'Advanced') {
    throw validation(
      "This parameter uses the advanced-parameter tier. You can't downgrade a parameter from the advanced-parameter tier to the standard-parameter tier.",
    );
  }
  const tier = before === 'Advanced' ? 'Advanced' : (asked ?? 'Standard');
  const maximum = tier === 'Advanced' ? advancedBytes : standardBytes;
  if (bytes <= maximum) return tier;
  const advice =
    tier === 'Advanced'
      ? ''
      : ' To create a larger parameter value, upgrade the parameter to use the advanced-parameter tier.';
  throw validation(
    `${tier} tier parameters support a maximum parameter value of ${maximum} characters.${advice}`,
  );
}

/** The hundred-and-first version takes the place of the oldest, unless that one carries a label. */
function makeRoom({ name, versions }: StoredParameter): void {
  const [oldest] = versions;
  if (oldest === undefined || versions.length < maximumVersions) return;
  if (oldest.labels.size > 0) {
    throw new AwsError({
      code: 'ParameterMaxVersionLimitExceeded',
      message: `You attempted to create a new version of ${name} by calling the PutParameter API with the overwrite flag. Version ${oldest.version}, the oldest version, can't be deleted because it has a label associated with it. Move the label to another version of the parameter, and try again.`,
    });
  }
  versions.shift();
}
