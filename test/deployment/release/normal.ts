import { settle } from '../../../local/deployment/settle.ts';

type Parts = Readonly<Record<string, unknown>>;
export interface Template {
  readonly Resources: Parts;
  readonly Outputs: Parts;
}
interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** What only a deployment with Serverless has. */
const left = /^(?:ServerlessDeployment|DroverVersion)/;

/** The parts of a template by what CloudFormation makes of them: a number is a text, a role has statements, in whichever policy they are. */
export function normal({ Resources, Outputs }: Template, pseudo: Readonly<Record<string, string>>) {
  const settled = settle({ Resources, Outputs }, { values: pseudo, conditions: {} }, 'the template');
  const texts = JSON.stringify(settled, (_, value: unknown) =>
    typeof value === 'number' ? String(value) : value,
  );
  const parts = JSON.parse(texts.replaceAll(/Drover(?:release|prod)(?=[a-z]+rule\d)/g, 'Drover')) as {
    readonly Resources: Readonly<Record<string, Resource>>;
    readonly Outputs: Parts;
  };
  return {
    Resources: Object.fromEntries(
      own(parts.Resources).map(([name, resource]) => [name, normalResource(resource)]),
    ),
    Outputs: Object.fromEntries(own(parts.Outputs)),
  };
}

const own = <Part>(parts: Readonly<Record<string, Part>>): readonly (readonly [string, Part])[] =>
  Object.entries(parts).filter(([name]) => !left.test(name));

function normalResource({ Properties = {}, Type, ...rest }: Resource) {
  const { Policies } = Properties;
  const properties = without(Properties, 'Code', 'Policies');
  const resource = { Type, ...without(rest, 'DependsOn') };
  return {
    ...resource,
    Properties: { ...properties, ...(Policies !== undefined && { statements: statementsOf(Policies) }) },
  };
}

const without = (members: object, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));

const statementsOf = (policies: unknown): readonly unknown[] =>
  (policies as readonly { readonly PolicyDocument: { readonly Statement: readonly unknown[] } }[])
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
