import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type CallExpression,
  type Expression,
  type ImportDeclaration,
  type MemberExpression,
  type Program,
  parseSync,
  type TemplateLiteral,
  Visitor,
} from 'oxc-parser';

/** A regular expression of the source. */
export interface Pattern {
  /** `shared/groups/a.ts:12`. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** A `new RegExp` whose text is made of more than constants. */
export interface Unreadable {
  readonly place: string;
  readonly code: string;
}

export interface Collected {
  readonly patterns: readonly Pattern[];
  readonly unreadable: readonly Unreadable[];
}

/**
 * Every regular expression of a file: literals, and what `new RegExp` makes of constants, also of those that the file imports. A constant of
 * another kind of expression makes the call unreadable instead of leaving it out.
 */
export function regexpsIn(path: string, code: string): Collected {
  const file = readSource(path, code);
  const place = (offset: number) => `${path}:${code.slice(0, offset).split('\n').length}`;
  const patterns: Pattern[] = [];
  const unreadable: Unreadable[] = [];
  const construct = (args: readonly { readonly type: string }[], start: number, end: number) => {
    const source = textOf(args[0] as Expression, file);
    const flags = args.length > 1 ? textOf(args[1] as Expression, file) : '';
    if (source === undefined || flags === undefined)
      unreadable.push({ place: place(start), code: code.slice(start, end) });
    else patterns.push({ place: place(start), source, flags });
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node)
        patterns.push({ place: place(node.start), source: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression({ callee, arguments: args, start, end }) {
      if (callee.type === 'Identifier' && callee.name === 'RegExp') construct(args, start, end);
    },
    CallExpression({ callee, arguments: args, start, end }) {
      if (callee.type === 'Identifier' && callee.name === 'RegExp') construct(args, start, end);
    },
  }).visit(file.program);
  return { patterns, unreadable };
}

interface Source {
  readonly path: string;
  readonly program: Program;
}

function readSource(path: string, code: string): Source {
  const { program, errors } = parseSync(path, code);
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join(', ')}`);
  return { path, program };
}

/** The text of a constant expression; undefined for any other. */
function textOf(node: Expression | undefined, file: Source): string | undefined {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : undefined;
    case 'TemplateLiteral':
      return filled(node, 'cooked', file);
    case 'TaggedTemplateExpression':
      return isMember(node.tag, 'String', 'raw') ? filled(node.quasi, 'raw', file) : undefined;
    case 'BinaryExpression':
      return node.operator === '+'
        ? together([textOf(node.left, file), textOf(node.right, file)])
        : undefined;
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return textOf(node.expression, file);
    case 'MemberExpression':
      return sourceOf(node);
    case 'CallExpression':
      return joined(node, file);
    case 'Identifier':
      return constant(node.name, file);
    default:
      return undefined;
  }
}

const together = (parts: readonly (string | undefined)[], separator = ''): string | undefined =>
  parts.every((part) => part !== undefined) ? parts.join(separator) : undefined;

const filled = (
  { quasis, expressions }: TemplateLiteral,
  form: 'raw' | 'cooked',
  file: Source,
): string | undefined =>
  together(
    quasis.flatMap(({ value }, index) => {
      const expression = expressions[index];
      return [value[form] ?? undefined, ...(expression ? [textOf(expression, file)] : [])];
    }),
  );

const isMember = (node: Expression, object: string, property: string): boolean =>
  node.type === 'MemberExpression' &&
  node.object.type === 'Identifier' &&
  node.object.name === object &&
  node.property.type === 'Identifier' &&
  node.property.name === property;

/** `/x/.source`. */
function sourceOf({ object, property }: MemberExpression): string | undefined {
  const regexp = object.type === 'ParenthesizedExpression' ? object.expression : object;
  const isSource = property.type === 'Identifier' && property.name === 'source';
  return isSource && regexp.type === 'Literal' && 'regex' in regexp ? regexp.regex.pattern : undefined;
}

/** `[a, b].join('|')`. */
function joined({ callee, arguments: [separator] }: CallExpression, file: Source): string | undefined {
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'ArrayExpression') return undefined;
  if (callee.property.type !== 'Identifier' || callee.property.name !== 'join') return undefined;
  return together(
    callee.object.elements.map((one) => textOf((one as Expression | null) ?? undefined, file)),
    textOf(separator as Expression | undefined, file),
  );
}

/** A `const` at the top of the file, or of the file that it is imported from. */
function constant(name: string, file: Source): string | undefined {
  for (const statement of file.program.body) {
    if (statement.type === 'ImportDeclaration') {
      const from = importedAs(name, statement);
      if (from !== undefined && statement.source.value.startsWith('.'))
        return constant(from, imported(statement.source.value, file));
    }
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue;
    const found = declaration.declarations.find(({ id }) => id.type === 'Identifier' && id.name === name);
    if (found) return textOf(found.init ?? undefined, file);
  }
  return undefined;
}

function importedAs(name: string, { specifiers }: ImportDeclaration): string | undefined {
  const found = specifiers.find(({ local }) => local.name === name);
  return found?.type === 'ImportSpecifier' && found.imported.type === 'Identifier'
    ? found.imported.name
    : undefined;
}

function imported(specifier: string, { path }: Source): Source {
  const target = join(dirname(path), specifier);
  return readSource(target, readFileSync(target, 'utf8'));
}
