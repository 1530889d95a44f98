import * as z from 'zod/mini';
import {
  type ConditionContext,
  holds,
  holdsByName,
  type Values,
} from '../../scripts/deployment/evaluate-conditions.ts';
import { TemplateError } from '../../scripts/deployment/template-error.ts';
import { settle } from './settle.ts';
import { check, type State } from './template.ts';

const parameterSchema = z.looseObject({
  Type: z.literal('String'),
  Default: z.optional(z.string()),
  AllowedValues: z.optional(z.array(z.string())),
  AllowedPattern: z.optional(z.string()),
});

const ruleSchema = z.strictObject({
  RuleCondition: z.unknown(),
  Assertions: z.array(z.strictObject({ Assert: z.unknown(), AssertDescription: z.string() })),
});

const partSchema = z.looseObject({ Condition: z.optional(z.string()) });

const releaseSchema = z.strictObject({
  AWSTemplateFormatVersion: z.string(),
  Description: z.string(),
  Parameters: z.record(z.string(), parameterSchema),
  Rules: z.record(z.string(), ruleSchema),
  Conditions: z.record(z.string(), z.unknown()),
  Resources: z.record(z.string(), partSchema),
  Outputs: z.record(z.string(), partSchema),
});

type Release = z.output<typeof releaseSchema>;
type Parts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A template of the released kind for one choice of its parameters. */
export interface SettledTemplate {
  readonly Resources: Parts;
  readonly Outputs: Parts;
}

/**
 * Chooses what the parameters choose, as CloudFormation does before it creates anything.
 *
 * @param pseudo AWS::StackName and the like
 * @throws TemplateError for a parameter or a rule that refuses the values
 */
export function settleRelease(template: unknown, parameters: Values, pseudo: Values): SettledTemplate {
  const release = check(releaseSchema, template, 'the template');
  const values = { ...pseudo, ...valuesOf(release, parameters) };
  const context: ConditionContext = { values, conditions: release.Conditions };
  for (const [name, { RuleCondition, Assertions }] of Object.entries(release.Rules))
    if (holds(RuleCondition, context, `Rules.${name}`))
      for (const { Assert, AssertDescription } of Assertions)
        if (!holds(Assert, context, `Rules.${name}`))
          throw new TemplateError(`Rules.${name}`, AssertDescription);
  return {
    Resources: chosen(release.Resources, context, 'Resources'),
    Outputs: chosen(release.Outputs, context, 'Outputs'),
  };
}

function valuesOf({ Parameters }: Release, given: Values): Values {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(Parameters, name));
  if (unknown.length > 0) throw new TemplateError('Parameters', `there is no ${unknown.join(', ')}`);
  return Object.fromEntries(
    Object.entries(Parameters).map(([name, { Default, AllowedValues, AllowedPattern }]) => {
      const value = given[name] ?? Default;
      const where = `Parameters.${name}`;
      if (value === undefined) throw new TemplateError(where, 'has no value');
      if (AllowedValues && !AllowedValues.includes(value))
        throw new TemplateError(where, `${value} is none of ${AllowedValues.join(', ')}`);
      if (AllowedPattern && !new RegExp(`^(?:${AllowedPattern})$`).test(value))
        throw new TemplateError(where, `${value} does not match ${AllowedPattern}`);
      return [name, value];
    }),
  );
}

const chosen = (parts: Release['Resources'], context: ConditionContext, where: string): Parts =>
  Object.fromEntries(
    Object.entries(parts)
      .filter(([, { Condition }]) => Condition === undefined || holdsByName(Condition, context, where))
      .map(([name, part]) => [name, settle(withoutCondition(part), context, `${where}.${name}`)] as const),
  ) as Parts;

const withoutCondition = (part: object): object =>
  Object.fromEntries(Object.entries(part).filter(([name]) => name !== 'Condition'));

/** The content of serverless-state.json of a packaged deployment: the function of each zip. */
export function stateOf(
  { Resources }: SettledTemplate,
  stackName: string,
  zipOf: (key: string) => string,
): State {
  const functions = Object.entries(Resources).flatMap(([logicalId, { Type, Properties }]) => {
    if (Type !== 'AWS::Lambda::Function') return [];
    const { FunctionName, Code } = check(functionSchema, Properties, `Resources.${logicalId}.Properties`);
    const name = FunctionName.slice(stackName.length + 1);
    return [[name, { name: FunctionName, package: { artifact: zipOf(Code.S3Key) } }] as const];
  });
  return {
    service: {
      service: 'drover',
      provider: { stage: '', stackName },
      functions: Object.fromEntries(functions),
    },
  };
}

const functionSchema = z.looseObject({
  FunctionName: z.string(),
  Code: z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
});
