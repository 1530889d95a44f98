import type { LaunchTemplateSpecification, RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import { ec2Errors } from './errors.ts';
import type { Ec2World, LaunchTemplateVersion, SimulatedLaunchTemplate } from './model.ts';

/** A launch template with its version resolved: `$Latest` and `$Default` are names, a number launches. */
export interface ResolvedLaunchTemplate {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly data: RequestLaunchTemplateData;
}

export interface LaunchTemplateReference {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

const idForm = /^lt-(?:[0-9a-f]{8}|[0-9a-f]{17})$/;

/** Throws MissingParameter, or the Malformed and NotFound errors of EC2. */
export function findLaunchTemplate(
  world: Ec2World,
  reference: LaunchTemplateReference,
): SimulatedLaunchTemplate {
  const { id, name } = reference;
  if (id !== undefined) {
    if (!idForm.test(id)) throw ec2Errors.malformedLaunchTemplateId(id);
    const template = world.launchTemplates.get(id);
    if (template === undefined) throw ec2Errors.launchTemplateIdNotFound(id);
    return template;
  }
  if (name === undefined) throw ec2Errors.missingParameter('LaunchTemplateName');
  const template = [...world.launchTemplates.values()].find((candidate) => candidate.name === name);
  if (template === undefined) throw ec2Errors.launchTemplateNameNotFound(name);
  return template;
}

/** `$Latest`, `$Default` or a number; without one EC2 takes the default version. */
export function findVersion(
  template: SimulatedLaunchTemplate,
  version: string | undefined,
): LaunchTemplateVersion {
  const number = versionNumber(template, version);
  const found = template.versions.get(number);
  if (found === undefined) throw ec2Errors.launchTemplateVersionNotFound(version ?? String(number));
  return found;
}

function versionNumber(template: SimulatedLaunchTemplate, version: string | undefined): number {
  if (version === undefined || version === '$Default') return template.defaultVersion;
  return version === '$Latest' ? template.latestVersion : Number(version);
}

export function resolveLaunchTemplate(
  world: Ec2World,
  specification: LaunchTemplateSpecification,
): ResolvedLaunchTemplate {
  const template = findLaunchTemplate(world, {
    id: specification.LaunchTemplateId,
    name: specification.LaunchTemplateName,
  });
  const version = findVersion(template, specification.Version);
  return { id: template.id, name: template.name, version: version.number, data: version.data };
}
