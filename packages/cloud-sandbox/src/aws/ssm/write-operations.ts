import type * as Ssm from '@aws-sdk/client-ssm';
import { AwsError, type CallContext } from '../service.ts';
import { checkCount } from './errors.ts';
import { attachLabels, detachLabels } from './labels.ts';
import { type StoredParameter, tagList } from './parameter.ts';
import { putParameter } from './put.ts';
import { announceChange, parameterOf, type SsmWorld } from './world.ts';

const maximumTags = 50;

/** The operations that change parameters, their labels and their tags. */
export const createWriteOperations = (world: SsmWorld) => ({
  PutParameter: (input: Ssm.PutParameterCommandInput, call: CallContext) =>
    putParameter(world, input, call.principal.arn),
  DeleteParameter: (input: Ssm.DeleteParameterCommandInput) => {
    remove(world, parameterOf(world, input.Name ?? ''));
    return {};
  },
  DeleteParameters: (input: Ssm.DeleteParametersCommandInput) => {
    checkCount('names', input.Names?.length, [1, 10]);
    const names = input.Names ?? [];
    const found = names.flatMap((name) => world.parameters.get(name) ?? []);
    for (const parameter of found) remove(world, parameter);
    const DeletedParameters = found.map(({ name }) => name);
    return {
      DeletedParameters,
      InvalidParameters: names.filter((name) => !DeletedParameters.includes(name)),
    };
  },
  LabelParameterVersion: (input: Ssm.LabelParameterVersionCommandInput) =>
    attachLabels(parameterOf(world, input.Name ?? ''), labelRequest(input)),
  UnlabelParameterVersion: (input: Ssm.UnlabelParameterVersionCommandInput) =>
    detachLabels(parameterOf(world, input.Name ?? ''), labelRequest(input)),
  AddTagsToResource: (input: Ssm.AddTagsToResourceCommandInput) => {
    const { tags } = taggedParameter(world, input);
    const added = new Map([
      ...tags,
      ...(input.Tags ?? []).map(({ Key, Value }) => [Key ?? '', Value ?? ''] as const),
    ]);
    if (added.size > maximumTags) {
      throw new AwsError({
        code: 'TooManyTagsError',
        message: `A parameter can have at most ${maximumTags} tags.`,
      });
    }
    for (const [key, value] of added) tags.set(key, value);
    return {};
  },
  RemoveTagsFromResource: (input: Ssm.RemoveTagsFromResourceCommandInput) => {
    const { tags } = taggedParameter(world, input);
    for (const key of input.TagKeys ?? []) tags.delete(key);
    return {};
  },
  ListTagsForResource: (input: Ssm.ListTagsForResourceCommandInput) => ({
    TagList: tagList(taggedParameter(world, input)),
  }),
});

function labelRequest(input: {
  readonly ParameterVersion?: number | undefined;
  readonly Labels: string[] | undefined;
}) {
  checkCount('labels', input.Labels?.length, [1, 10]);
  return { version: input.ParameterVersion, labels: input.Labels ?? [] };
}

function remove(world: SsmWorld, parameter: StoredParameter): void {
  world.parameters.delete(parameter.name);
  announceChange(world, parameter, 'Delete');
}

function taggedParameter(
  world: SsmWorld,
  input: { readonly ResourceType: string | undefined; readonly ResourceId: string | undefined },
): StoredParameter {
  if (input.ResourceType !== 'Parameter') {
    const message = `This sandbox tags parameters only, not ${input.ResourceType}.`;
    throw new AwsError({ code: 'InvalidResourceType', message });
  }
  const parameter = world.parameters.get(input.ResourceId ?? '');
  if (parameter !== undefined) return parameter;
  throw new AwsError({ code: 'InvalidResourceId', message: `There is no parameter ${input.ResourceId}.` });
}
