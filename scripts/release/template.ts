import type { Resources } from '../deployment/template-plugin.ts';
import { conditionMarkersOf, defaultConditions, markersOf } from './markers.ts';
import { type ReleaseParameter, templateName } from './parameters.ts';
import { createPlacing } from './place-parameters.ts';
import { releaseResource } from './resource.ts';
import { rules } from './rules.ts';

export interface PackagedTemplate {
  readonly AWSTemplateFormatVersion: string;
  readonly Conditions: Part;
  readonly Resources: Resources;
  readonly Outputs: Part;
}

export interface ReleaseInput {
  readonly version: string;
  readonly parameters: Readonly<Record<string, ReleaseParameter>>;
  /** With a marker for each parameter. */
  readonly packaged: PackagedTemplate;
  /** Function -> the name of its zip below the prefix. */
  readonly zips: Readonly<Record<string, string>>;
}

export type Part = Readonly<Record<string, unknown>>;

/** What osls adds for deployments of its own: a release takes its zips from the bucket of a parameter. */
const left = /^ServerlessDeploymentBucket/;

/**
 * The template of a release: the packaged one, with parameters instead of markers. Pure.
 *
 * @throws Error if a parameter has no effect, or a function no zip
 */
export function releaseTemplate({ version, parameters, packaged, zips }: ReleaseInput): Part {
  const names = Object.keys(parameters);
  const { place, unused } = createPlacing(markersOf(names));
  const conditions = createPlacing(conditionMarkersOf(names));
  const { Resources: resources } = packaged;
  const parts = <Value>(values: Readonly<Record<string, Value>>, release: (value: Value) => unknown): Part =>
    Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) => (left.test(name) ? [] : [[name, release(value)]])),
    );
  const template = {
    AWSTemplateFormatVersion: packaged.AWSTemplateFormatVersion,
    Description: `Drover ${version}: a serverless control plane for the Kubernetes nodes of one cluster`,
    Parameters: { ...artifactParameters, ...declared(parameters) },
    Rules: rules,
    Conditions: { ...defaultConditions, ...parts(packaged.Conditions, conditions.place) },
    Resources: parts(resources, (resource) => releaseResource({ resource, resources, place, zips })),
    Outputs: {
      ...parts(packaged.Outputs, place),
      DroverVersion: { Description: 'The release', Value: version },
    },
  };
  const without = unused().filter((text) => conditions.unused().includes(text));
  if (without.length > 0) throw new Error(`no resource has the parameters ${without.join(', ')}`);
  return template;
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
