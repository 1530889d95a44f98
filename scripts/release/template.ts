import { markersOf } from './markers.ts';
import { missingUnder, type Off } from './merge.ts';
import type { PackagedResource, PackagedTemplate } from './package-variant.ts';
import { type ReleaseParameter, templateName } from './parameters.ts';
import { createPlacing, type Placing } from './place-parameters.ts';
import { releaseResource } from './resource.ts';
import { rules } from './rules.ts';
import { all, conditions, type Switch, switches } from './switches.ts';

export interface ReleaseInput {
  readonly version: string;
  readonly parameters: Readonly<Record<string, ReleaseParameter>>;
  /** The template with everything on, and with each switch off. */
  readonly on: PackagedTemplate;
  readonly offs: readonly { readonly of: Switch; readonly template: PackagedTemplate }[];
  /** Function -> the name of its zip below the prefix. */
  readonly zips: Readonly<Record<string, string>>;
}

export type Part = Readonly<Record<string, unknown>>;

/** What osls adds for deployments of its own: a release takes its zips from the bucket of a parameter. */
const left = [
  'ServerlessDeploymentBucket',
  'ServerlessDeploymentBucketPolicy',
  'ServerlessDeploymentBucketName',
];

/**
 * One template for every choice of parameters, from packaged templates that hold one choice each. Pure.
 *
 * @throws Error if a parameter has no effect, or a function no zip
 */
export function releaseTemplate(input: ReleaseInput): Part {
  const { on, version, parameters } = input;
  const used = new Map<string, readonly string[]>();
  const both = (conditionNames: readonly string[]): string => {
    const names = withoutImplied(conditionNames);
    const name = names.join('And');
    if (names.length > 1) used.set(name, names);
    return name;
  };
  const placing = createPlacing(markersOf(Object.keys(parameters)));
  const conditional = (kind: Kind, built: (part: Part, offs: readonly Off[]) => Part): Part =>
    Object.fromEntries(
      Object.entries(on[kind])
        .filter(([name]) => !left.includes(name))
        .map(([name, part]) => {
          const offs = offsOf(input, kind, name);
          const missing = missingUnder(offs);
          const present = built(
            part as Part,
            offs.filter(({ value }) => value !== undefined),
          );
          return [name, missing.length === 0 ? present : { Condition: both(missing), ...present }];
        }),
    );
  const Resources = conditional('Resources', (part, offs) =>
    releaseResource({ part: part as unknown as PackagedResource, offs, both, place: placing.place, input }),
  );
  const Outputs = conditional('Outputs', (part) => placing.place(part) as Part);
  refuseUnused(placing);
  return {
    AWSTemplateFormatVersion: on.AWSTemplateFormatVersion,
    Description: `Drover ${version}: a serverless control plane for the Kubernetes nodes of one cluster`,
    Parameters: { ...artifactParameters, ...declared(parameters) },
    Rules: rules,
    Conditions: { ...conditions, ...combined(used) },
    Resources,
    Outputs: { ...Outputs, DroverVersion: { Description: 'The release', Value: version } },
  };
}

/** The conditions that say something beside the others. */
const withoutImplied = (names: readonly string[]): readonly string[] =>
  names.filter(
    (name) =>
      !switches
        .find(({ condition }) => condition === name)
        ?.impliedBy?.some((other) => names.includes(other)),
  );

type Kind = 'Resources' | 'Outputs';

const offsOf = ({ offs }: ReleaseInput, kind: Kind, name: string): readonly Off[] =>
  offs.map(({ of, template }) => ({ condition: of.condition, value: template[kind][name] }));

const combined = (used: ReadonlyMap<string, readonly string[]>): Part =>
  Object.fromEntries(
    [...used].map(([name, names]) => [name, all(...names.map((Condition) => ({ Condition })))]),
  );

function refuseUnused({ unused }: Placing): void {
  const without = unused();
  if (without.length > 0) throw new Error(`no resource has the parameters ${without.join(', ')}`);
}

const artifactParameters = {
  ArtifactBucket: {
    Type: 'String',
    Description: 'Your bucket with the zips of the release, in the region of the stack',
    AllowedPattern: '[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]',
  },
  ArtifactPrefix: {
    Type: 'String',
    Description: 'What the keys of the zips begin with: empty, or with a slash at its end',
    Default: 'drover/',
    AllowedPattern: '([A-Za-z0-9_.-]+/)*',
  },
};

const declared = (parameters: ReleaseInput['parameters']): Part =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, { description, defaultValue, allowedValues, allowedPattern }]) => [
      templateName(name),
      {
        Type: 'String',
        Description: description,
        ...(defaultValue !== undefined && { Default: defaultValue }),
        ...(allowedValues && { AllowedValues: allowedValues }),
        ...(allowedPattern && { AllowedPattern: allowedPattern }),
      },
    ]),
  );
