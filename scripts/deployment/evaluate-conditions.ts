import { TemplateError } from './template-error.ts';

export type Values = Readonly<Record<string, string>>;
type Conditions = Readonly<Record<string, unknown>>;

/** What conditions and rules are about. */
export interface ConditionContext {
  readonly values: Values;
  readonly conditions: Conditions;
}

/**
 * Whether a condition of a template holds, as CloudFormation evaluates it.
 *
 * @throws TemplateError for a function, a parameter or a condition that the sandbox does not know
 */
export function holds(condition: unknown, context: ConditionContext, where: string): boolean {
  const { name, argument } = onlyMember(condition, where);
  if (name === 'Condition') return holdsByName(String(argument), context, where);
  const list = Array.isArray(argument) ? argument : [argument];
  const each = (one: unknown): boolean => holds(one, context, `${where}.${name}`);
  if (name === 'Fn::Not') return !each(list[0]);
  if (name === 'Fn::And') return list.every(each);
  if (name === 'Fn::Or') return list.some(each);
  if (name === 'Fn::Equals') return textOf(list[0], context, where) === textOf(list[1], context, where);
  throw new TemplateError(where, `the sandbox does not know the condition function ${name}`);
}

/** @throws TemplateError if the template does not have it */
export function holdsByName(name: string, context: ConditionContext, where: string): boolean {
  if (!Object.hasOwn(context.conditions, name))
    throw new TemplateError(where, `there is no condition ${name}`);
  return holds(context.conditions[name], context, `Conditions.${name}`);
}

function textOf(value: unknown, { values }: ConditionContext, where: string): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  const { name, argument } = onlyMember(value, where);
  const known = name === 'Ref' ? values[String(argument)] : undefined;
  if (known === undefined)
    throw new TemplateError(where, `the sandbox cannot compare ${JSON.stringify(value)}`);
  return known;
}

function onlyMember(value: unknown, where: string): { readonly name: string; readonly argument: unknown } {
  const [only, ...others] = Object.entries(typeof value === 'object' && value !== null ? value : {});
  if (!only || others.length > 0)
    throw new TemplateError(where, `${JSON.stringify(value)} is not a condition`);
  return { name: only[0], argument: only[1] };
}
