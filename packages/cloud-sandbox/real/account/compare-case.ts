import { type Answer, compareAnswers, type Finding, type Shape } from './answers.ts';
import type { FixtureAnswer } from './fixtures.ts';

/**
 * How one case differs between its fixture and the sandbox: fields, types and errors, and the values of settings. A list without elements says
 * nothing of them: whether a group has instances yet depends on when it is read.
 */
export function compareCase(
  fixture: readonly FixtureAnswer[],
  sandbox: readonly FixtureAnswer[],
): readonly Finding[] {
  const [theirs, ours] = [comparable(fixture, sandbox), comparable(sandbox, fixture)];
  return [...compareAnswers(theirs.map(toAnswer), ours.map(toAnswer)), ...compareValues(theirs, ours)];
}

/** The answer of a fixture, as `compareAnswers` takes it. */
export function toAnswer({ operation, error, shape }: FixtureAnswer): Answer {
  const [service = '', ...name] = operation.split(':');
  return { service, operation: name.join(':'), shape, ...(error !== undefined && { error }) };
}

/** The answers without the elements of lists that are always empty in the others. */
function comparable(
  answers: readonly FixtureAnswer[],
  others: readonly FixtureAnswer[],
): readonly FixtureAnswer[] {
  const empty = emptyLists(others);
  return answers.map((answer) => {
    const isEmpty = (path: string): boolean => empty.has(`${answer.operation} ${path}`);
    return { ...answer, shape: emptied(answer.shape, isEmpty) };
  });
}

/** The lists of each operation that have no element in any of its answers. */
function emptyLists(answers: readonly FixtureAnswer[]): ReadonlySet<string> {
  const lists = answers.flatMap(({ operation, shape }) =>
    listsOf(shape).map(([path, size]) => [`${operation} ${path}`, size] as const),
  );
  const filled = new Set(lists.filter(([, size]) => size > 0).map(([list]) => list));
  return new Set(lists.map(([list]) => list).filter((list) => !filled.has(list)));
}

const isList = (shape: Shape): shape is readonly Shape[] => Array.isArray(shape);

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function listsOf(shape: Shape, path = ''): readonly (readonly [path: string, size: number])[] {
  if (typeof shape === 'string') return [];
  if (isList(shape))
    return [[path, shape.length], ...shape.flatMap((element) => listsOf(element, `${path}[]`))];
  return Object.entries(shape).flatMap(([name, one]) => listsOf(one, below(path, name)));
}

function emptied(shape: Shape, isEmpty: (path: string) => boolean, path = ''): Shape {
  if (typeof shape === 'string') return shape;
  if (isList(shape))
    return isEmpty(path) ? [] : shape.map((element) => emptied(element, isEmpty, `${path}[]`));
  return Object.fromEntries(
    Object.entries(shape).map(([name, one]) => [name, emptied(one, isEmpty, below(path, name))]),
  );
}

/** What a poll sees of them depends on when it comes. */
const passing: ReadonlySet<string> = new Set(
  'ApproximateReceiveCount HealthStatus LifecycleState StatusCode state'.split(' '),
);

/** Values that the sandbox never answers to the same operation, by the path of their field. */
function compareValues(
  fixture: readonly FixtureAnswer[],
  sandbox: readonly FixtureAnswer[],
): readonly Finding[] {
  const ours = new Set(sandbox.flatMap(valuesOf));
  const missing = [...new Set(fixture.flatMap(valuesOf))].filter((value) => !ours.has(value));
  return missing.map((line) => {
    const [operation = '', path = '', value = ''] = line.split('\t');
    return {
      operation,
      difference: `${path} is ${value} in the account, and never in the sandbox`,
      proposal: `look for its default or its limit in packages/cloud-sandbox/src/aws, ${operation}`,
    };
  });
}

function valuesOf({ operation, shape }: FixtureAnswer): readonly string[] {
  return leavesOf(shape).flatMap(([path, leaf]) => {
    const value = leaf.split(' ')[1];
    const field = path.split('.').at(-1)?.replaceAll('[]', '') ?? '';
    return value === undefined || passing.has(field) ? [] : [`${operation}\t${path}\t${value}`];
  });
}

function leavesOf(shape: Shape, path = ''): readonly (readonly [path: string, leaf: string])[] {
  if (typeof shape === 'string') return [[path, shape]];
  if (isList(shape)) return shape.flatMap((element) => leavesOf(element, `${path}[]`));
  return Object.entries(shape).flatMap(([name, one]) => leavesOf(one, below(path, name)));
}
