import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names that programs and stacks of a release depend on. */
export interface MachineNames {
  /** `NAME unit` */
  readonly metrics: readonly string[];
  /** `name code` */
  readonly exitCodes: readonly string[];
  /** Tags, annotations, labels and extra keys. */
  readonly keys: readonly string[];
  readonly eventReasons: readonly string[];
  /** The kinds of passes, which messages and log lines carry. */
  readonly works: readonly string[];
  /** `LogicalId AWS::Type`, of the deployment as packaged. */
  readonly resources: readonly string[];
  /** `AlarmName`, `rule name`, `function name` and other physical names. */
  readonly names: readonly string[];
  readonly outputs: readonly string[];
  /** `function VARIABLE=value`; a value that CloudFormation resolves is left out. */
  readonly environment: readonly string[];
}

interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: Properties }>>;
  readonly Outputs: Readonly<Record<string, unknown>>;
}

interface Properties {
  readonly AlarmName?: unknown;
  readonly FunctionName?: unknown;
  readonly Name?: unknown;
  readonly QueueName?: unknown;
  readonly Environment?: { readonly Variables?: Readonly<Record<string, unknown>> };
}

/** The machine names of the source and of the packaged template below `root`. */
export function machineNamesIn(root: string): MachineNames {
  const code = globSync(['functions/**/*.ts', 'shared/**/*.ts', 'cli/**/*.ts'], { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  const deployment = globSync(['serverless.yml', 'deploy/**/*.yml', 'deploy/**/*.yaml'], { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  const templateFile = join(root, '.serverless/cloudformation-template-update-stack.json');
  const { Resources, Outputs } = JSON.parse(readFileSync(templateFile, 'utf8')) as Template;
  const resources = Object.entries(Resources);
  const physical = ({ AlarmName, FunctionName, Name, QueueName }: Properties) =>
    [AlarmName, FunctionName, Name, QueueName].filter((name) => typeof name === 'string');
  return {
    metrics: all(blockOf(code, 'metricUnits'), /^ {2}(\w+): '(\w+)',$/gm),
    exitCodes: all(blockOf(code, 'exitCodes'), /^ {2}(\w+): (\d+),$/gm),
    keys: all(`${code}\n${deployment}`, /\b(drover\.dev\/[a-z0-9-]+)/g),
    eventReasons: all(code, /\btype: '(?:Warning|Normal)',\s*reason: '([A-Z]\w+)'/g),
    works: all(code, /\bwork: '([a-z-]+)'/g),
    resources: sorted(resources.map(([id, { Type }]) => `${id} ${Type}`)),
    names: sorted(resources.flatMap(([, { Properties = {} }]) => physical(Properties))),
    outputs: sorted(Object.keys(Outputs)),
    environment: sorted(
      resources.flatMap(([, { Properties = {} }]) =>
        Object.entries(Properties.Environment?.Variables ?? {}).map(([variable, value]) =>
          [Properties.FunctionName, `${variable}=${typeof value === 'string' ? value : '...'}`].join(' '),
        ),
      ),
    ),
  };
}

/** The object literal of a constant, from its name to the end of the object. */
const blockOf = (code: string, constant: string): string =>
  code.match(new RegExp(`^export const ${constant} = \\{\\n[\\s\\S]*?^\\}`, 'm'))?.[0] ?? '';

const all = (text: string, pattern: RegExp): readonly string[] =>
  sorted([...text.matchAll(pattern)].map(([, ...groups]) => groups.join(' ')));

const sorted = (names: readonly string[]): readonly string[] => [...new Set(names)].sort();

/** The names of the release that are gone now, but for those that the changelog names. Pure. */
export const goneNames = (released: MachineNames, now: MachineNames, changelog: string): readonly string[] =>
  (Object.keys(released) as (keyof MachineNames)[]).flatMap((kind) =>
    released[kind]
      .filter((name) => !now[kind].includes(name) && !changelog.includes(`\`${name}\``))
      .map((name) => `${kind}: ${name}`),
  );
