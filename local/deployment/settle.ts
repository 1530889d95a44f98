import { type ConditionContext, holdsByName } from '../../scripts/deployment/evaluate-conditions.ts';

const absent = Symbol('AWS::NoValue');

/**
 * A part of a template without parameters, conditions and pseudo parameters: what is left refers to resources alone. Pure.
 *
 * @throws TemplateError for a condition that the template does not have
 */
export function settle(value: unknown, context: ConditionContext, where: string): unknown {
  const settled = settleOne(value, context, where);
  return settled === absent ? undefined : settled;
}

function settleOne(value: unknown, context: ConditionContext, where: string): unknown {
  if (Array.isArray(value))
    return value.map((item) => settleOne(item, context, where)).filter((item) => item !== absent);
  if (typeof value !== 'object' || value === null) return value;
  const {
    Ref,
    'Fn::If': choice,
    'Fn::Sub': text,
    'Fn::Select': selection,
  } = value as Record<string, unknown>;
  if (typeof Ref === 'string') return Ref === 'AWS::NoValue' ? absent : (context.values[Ref] ?? value);
  if (Array.isArray(choice)) {
    const [name, yes, no] = choice as [string, unknown, unknown];
    return settleOne(holdsByName(name, context, where) ? yes : no, context, where);
  }
  if (text !== undefined) return settleText(text, context, where);
  if (Array.isArray(selection)) {
    const list = settleOne(selection[1], context, where);
    // A parameter that is a list has its items in one text.
    return typeof list === 'string'
      ? list.split(',')[Number(selection[0])]
      : (list as unknown[])[Number(selection[0])];
  }
  return settleMembers(value, context, where);
}

function settleMembers(value: object, context: ConditionContext, where: string): unknown {
  const members = Object.entries(value).map(([key, item]) => {
    const settled = settleOne(item, context, `${where}.${key}`);
    // CloudFormation takes a policy document as text too.
    return [
      key,
      key === 'PolicyDocument' && typeof settled === 'string' ? JSON.parse(settled) : settled,
    ] as const;
  });
  return Object.fromEntries(members.filter(([, item]) => item !== absent));
}

/** `Fn::Sub` with what is known in it: a text, if that is all of it. */
function settleText(text: unknown, context: ConditionContext, where: string): unknown {
  const [template, variables] = (Array.isArray(text) ? text : [text, {}]) as [
    string,
    Readonly<Record<string, unknown>>,
  ];
  const own = Object.entries(variables).map(
    ([name, value]) => [name, settleOne(value, context, where)] as const,
  );
  const known: Readonly<Record<string, unknown>> = { ...context.values, ...Object.fromEntries(own) };
  const written = template.replaceAll(/\$\{([^!{}]+)\}/g, (whole, name: string) =>
    typeof known[name] === 'string' ? known[name] : whole,
  );
  const unknown = own.filter(([, value]) => typeof value !== 'string');
  if (unknown.length > 0) return { 'Fn::Sub': [written, Object.fromEntries(unknown)] };
  return /\$\{/.test(written) ? { 'Fn::Sub': written } : written;
}
