import { TemplateError } from '../../scripts/deployment/template-error.ts';

/** What the template may refer to. Each throws a TemplateError that names `where` for what it does not know. */
export interface References {
  /** `Ref`: a pseudo parameter, a parameter or a resource. */
  ref(name: string, where: string): unknown;
  getAttribute(logicalId: string, attribute: string, where: string): string;
  /** `{{resolve:ssm:NAME}}`. */
  readParameter(name: string, where: string): string;
}

type Intrinsic = (argument: unknown, references: References, where: string) => unknown;

const text = (value: unknown, where: string): string => {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new TemplateError(where, 'wants a text');
};

const list = (value: unknown, where: string): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  throw new TemplateError(where, 'wants a list');
};

const attribute = (path: string, references: References, where: string): string => {
  const [logicalId = '', ...rest] = path.split('.');
  return references.getAttribute(logicalId, rest.join('.'), where);
};

const getAtt: Intrinsic = (argument, references, where) =>
  attribute(typeof argument === 'string' ? argument : list(argument, where).join('.'), references, where);

const join: Intrinsic = (argument, references, where) => {
  const [delimiter, parts] = list(argument, where);
  const texts = list(resolve(parts, references, where), where).map((part) => text(part, where));
  return texts.join(text(delimiter, where));
};

const split: Intrinsic = (argument, references, where) => {
  const [delimiter, source] = list(argument, where);
  return text(resolve(source, references, where), where).split(text(delimiter, where));
};

const substitute: Intrinsic = (argument, references, where) => {
  const [template, variables] = typeof argument === 'string' ? [argument, {}] : list(argument, where);
  const given = resolve(variables ?? {}, references, where) as Readonly<Record<string, unknown>>;
  const one = (name: string): string => {
    if (name.startsWith('!')) return `\${${name.slice(1)}}`;
    if (Object.hasOwn(given, name)) return text(given[name], where);
    return name.includes('.') ? attribute(name, references, where) : text(references.ref(name, where), where);
  };
  return text(template, where).replaceAll(/\$\{([^{}]+)\}/g, (_, name: string) => one(name));
};

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (argument, references, where) => references.ref(text(argument, where), where),
  'Fn::GetAtt': getAtt,
  'Fn::Join': join,
  'Fn::Split': split,
  'Fn::Sub': substitute,
};

function resolveDynamic(value: string, references: References, where: string): string {
  return value.replaceAll(/\{\{resolve:([\w-]+):([^{}]*)\}\}/g, (whole, service: string, name: string) => {
    if (service !== 'ssm') throw new TemplateError(where, `the sandbox does not resolve ${whole}`);
    return references.readParameter(name, where);
  });
}

/**
 * Replaces every intrinsic function in a part of the template by what CloudFormation would put there.
 *
 * @throws TemplateError for an intrinsic, a reference or a dynamic reference that the sandbox does not know.
 */
export function resolve(value: unknown, references: References, where: string): unknown {
  if (typeof value === 'string') return resolveDynamic(value, references, where);
  if (Array.isArray(value))
    return value.map((item, index) => resolve(item, references, `${where}[${index}]`));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only && (only[0] === 'Ref' || only[0].startsWith('Fn::'))) {
    const intrinsic = intrinsics[only[0]];
    if (!intrinsic) throw new TemplateError(where, `the sandbox does not know the intrinsic ${only[0]}`);
    return intrinsic(only[1], references, `${where}.${only[0]}`);
  }
  return Object.fromEntries(
    entries.map(([key, item]) => [key, resolve(item, references, `${where}.${key}`)]),
  );
}
