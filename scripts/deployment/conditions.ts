/**
 * A plugin of osls for deploy/conditions.yml. What refers to a conditional resource becomes conditional too, also where osls makes it (rules,
 * permissions, routes). Then the values of the stage decide each condition, and the template has only what they choose. A release sets
 * `custom.release`, and leaves the conditions to CloudFormation.
 */
import { type ConditionContext, holdsByName } from './evaluate-conditions.ts';
import { type Resource, type Resources, type TemplateHooks, whenComplete } from './template-plugin.ts';

type Conditions = Readonly<Record<string, unknown>>;
interface Output {
  readonly Condition?: string;
  readonly Value: unknown;
}
type Outputs = Readonly<Record<string, Output>>;

export interface ConditionalTemplate {
  Conditions?: Conditions;
  Resources: Resources;
  Outputs: Outputs;
}

interface Packaging {
  readonly service: {
    readonly custom: { readonly release?: boolean };
    functions: Functions;
    readonly provider: { readonly compiledCloudFormationTemplate: ConditionalTemplate };
  };
}

type Functions = Readonly<Record<string, { readonly condition?: string }>>;

export default class ConditionsPlugin {
  readonly hooks: TemplateHooks;

  constructor({ service }: Packaging) {
    this.hooks = whenComplete(() => {
      const template = service.provider.compiledCloudFormationTemplate;
      Object.assign(template, withInheritedConditions(template));
      if (service.custom.release) return;
      service.functions = chosenFunctions(service.functions, template.Conditions);
      Object.assign(template, decided(template));
      delete template.Conditions;
    });
  }
}

/** The functions of a stage. Pure. @throws TemplateError for an unknown condition */
export const chosenFunctions = <One extends Functions[string]>(
  functions: Readonly<Record<string, One>>,
  conditions: Conditions = {},
): Readonly<Record<string, One>> =>
  Object.fromEntries(
    Object.entries(functions).filter(
      ([name, { condition }]) =>
        condition === undefined || holdsByName(condition, { conditions, values: {} }, name),
    ),
  );

/** A resource or an output exists only where all that it refers to exists: besides its own condition it gets those of what it refers to. Pure. */
export function withInheritedConditions({
  Conditions,
  Resources,
  Outputs,
}: ConditionalTemplate): ConditionalTemplate {
  const combined: Record<string, unknown> = {};
  // CloudFormation refuses references in a circle.
  const conditionsOf = (part: Resource | Output | undefined): readonly string[] =>
    part === undefined
      ? []
      : [
          ...(part.Condition === undefined ? [] : [part.Condition]),
          ...referencesIn('Value' in part ? part.Value : part.Properties).flatMap((name) =>
            conditionsOf(Resources[name]),
          ),
        ];
  const inheriting = <Part extends Resource | Output>(part: Part): Part => {
    const names = [...new Set(conditionsOf(part))].toSorted();
    if (names.length === 0) return part;
    const Condition = names.join('And');
    if (names.length > 1) combined[Condition] = { 'Fn::And': names.map((name) => ({ Condition: name })) };
    return { ...part, Condition };
  };
  return {
    Resources: mapValues(Resources, inheriting),
    Outputs: mapValues(Outputs, inheriting),
    Conditions: { ...Conditions, ...combined },
  };
}

/** The names that a value refers to, whatever a condition chooses in it. */
function referencesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null || 'Fn::If' in value) return [];
  const { Ref, 'Fn::GetAtt': attribute } = value as Readonly<Record<string, unknown>>;
  if (typeof Ref === 'string') return [Ref];
  if (Array.isArray(attribute)) return [String(attribute[0])];
  return Object.values(value).flatMap(referencesIn);
}

/** The template that its conditions choose, without conditions. Pure. @throws TemplateError for an unknown condition */
export function decided({
  Conditions = {},
  Resources,
  Outputs,
}: ConditionalTemplate): Omit<ConditionalTemplate, 'Conditions'> {
  const context: ConditionContext = { conditions: Conditions, values: {} };
  const chosen = <Part extends Resource | Output>(parts: Readonly<Record<string, Part>>) =>
    Object.fromEntries(
      Object.entries(parts)
        .filter(([name, { Condition }]) => Condition === undefined || holdsByName(Condition, context, name))
        .map(([name, { Condition: _condition, ...part }]) => [name, decide(part, context) as Part]),
    );
  const resources = chosen(Resources);
  return {
    Resources: mapValues(resources, (resource) => withDependencies(resource, resources)),
    Outputs: chosen(Outputs),
  };
}

const absent = Symbol('AWS::NoValue');

function decide(value: unknown, context: ConditionContext): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.map((item) => decide(item, context)).filter((item) => item !== absent);
  const { Ref, 'Fn::If': choice } = value as Readonly<Record<string, unknown>>;
  if (Ref === 'AWS::NoValue') return absent;
  if (Array.isArray(choice)) {
    const [name, yes, no] = choice as [string, unknown, unknown];
    return decide(holdsByName(name, context, 'Fn::If') ? yes : no, context);
  }
  const members = Object.entries(value).map(([key, item]) => [key, decide(item, context)] as const);
  return Object.fromEntries(members.filter(([, item]) => item !== absent));
}

const withDependencies = ({ DependsOn, ...resource }: Resource, resources: Resources): Resource =>
  DependsOn === undefined
    ? resource
    : {
        ...resource,
        DependsOn: typeof DependsOn === 'string' ? DependsOn : DependsOn.filter((name) => name in resources),
      };

const mapValues = <Value>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
