import type {
  CreateLaunchTemplateRequest,
  CreateLaunchTemplateVersionRequest,
  DeleteLaunchTemplateRequest,
  DescribeLaunchTemplatesRequest,
  DescribeLaunchTemplateVersionsRequest,
  LaunchTemplate,
  LaunchTemplateVersion as LaunchTemplateVersionShape,
  ModifyLaunchTemplateRequest,
  RequestLaunchTemplateData,
  ResponseLaunchTemplateData,
} from '@aws-sdk/client-ec2';
import { page, pageSize } from '../paging.ts';
import { once } from './client-tokens.ts';
import { ec2Errors } from './errors.ts';
import { type FilterFields, keep, tagFields } from './filters.ts';
import { findLaunchTemplate, findVersion } from './launch-templates.ts';
import type { Ec2World, LaunchTemplateVersion, SimulatedLaunchTemplate } from './model.ts';

const filterFields: FilterFields<SimulatedLaunchTemplate> = {
  ...tagFields,
  'launch-template-name': (template) => [template.name],
};

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-launch-templates.html */
export const launchTemplateOperations = (world: Ec2World) => ({
  CreateLaunchTemplate: (input: CreateLaunchTemplateRequest) =>
    once(world.clientTokens, { operation: 'CreateLaunchTemplate', input }, () => {
      const template = create(world, input);
      world.launchTemplates.set(template.id, template);
      return { LaunchTemplate: toTemplate(world, template) };
    }),
  CreateLaunchTemplateVersion: (input: CreateLaunchTemplateVersionRequest) =>
    once(world.clientTokens, { operation: 'CreateLaunchTemplateVersion', input }, () => {
      const template = findLaunchTemplate(world, reference(input));
      const version = addVersion(world, template, input);
      return { LaunchTemplateVersion: toVersion(world, template, version) };
    }),
  ModifyLaunchTemplate: (input: ModifyLaunchTemplateRequest) => {
    const template = findLaunchTemplate(world, reference(input));
    template.defaultVersion = findVersion(template, input.DefaultVersion).number;
    return { LaunchTemplate: toTemplate(world, template) };
  },
  DeleteLaunchTemplate: (input: DeleteLaunchTemplateRequest) => {
    const template = findLaunchTemplate(world, reference(input));
    world.launchTemplates.delete(template.id);
    return { LaunchTemplate: toTemplate(world, template) };
  },
  DescribeLaunchTemplates: (input: DescribeLaunchTemplatesRequest) => describeTemplates(world, input),
  DescribeLaunchTemplateVersions: (input: DescribeLaunchTemplateVersionsRequest) =>
    describeVersions(world, input),
});

interface Named {
  readonly LaunchTemplateId?: string | undefined;
  readonly LaunchTemplateName?: string | undefined;
}

const reference = ({ LaunchTemplateId, LaunchTemplateName }: Named): { id?: string; name?: string } => ({
  ...(LaunchTemplateId === undefined ? {} : { id: LaunchTemplateId }),
  ...(LaunchTemplateName === undefined ? {} : { name: LaunchTemplateName }),
});

function create(world: Ec2World, input: CreateLaunchTemplateRequest): SimulatedLaunchTemplate {
  const { LaunchTemplateName: name, LaunchTemplateData: data } = input;
  if (name === undefined) throw ec2Errors.missingParameter('LaunchTemplateName');
  if (data === undefined) throw ec2Errors.missingParameter('LaunchTemplateData');
  if (!/^[\w().\-/]{3,128}$/.test(name)) throw ec2Errors.launchTemplateNameMalformed(name);
  if ([...world.launchTemplates.values()].some((template) => template.name === name)) {
    throw ec2Errors.launchTemplateNameTaken(name);
  }
  const createdAt = world.clock.now();
  const first = { number: 1, createdAt, description: input.VersionDescription, data };
  const tags = input.TagSpecifications?.flatMap(({ Tags }) => Tags ?? []) ?? [];
  return {
    id: `lt-0${world.random.hex(16)}`,
    name,
    createdAt,
    versions: new Map([[1, first]]),
    tags: new Map(tags.map(({ Key = '', Value = '' }) => [Key, Value])),
    defaultVersion: 1,
    latestVersion: 1,
  };
}

function addVersion(
  world: Ec2World,
  template: SimulatedLaunchTemplate,
  input: CreateLaunchTemplateVersionRequest,
): LaunchTemplateVersion {
  const base = input.SourceVersion === undefined ? {} : findVersion(template, input.SourceVersion).data;
  template.latestVersion += 1;
  const version = {
    number: template.latestVersion,
    createdAt: world.clock.now(),
    description: input.VersionDescription,
    data: { ...base, ...input.LaunchTemplateData },
  };
  template.versions.set(version.number, version);
  return version;
}

function describeTemplates(
  world: Ec2World,
  input: DescribeLaunchTemplatesRequest,
): { LaunchTemplates: LaunchTemplate[]; NextToken: string | undefined } {
  const { items, nextToken } = page(keep(askedFor(world, input), input.Filters, filterFields), {
    nextToken: input.NextToken,
    size: pageSize(input.MaxResults, { default: 200, maximum: 200 }),
    invalidToken: ec2Errors.invalidNextToken,
  });
  return { LaunchTemplates: items.map((template) => toTemplate(world, template)), NextToken: nextToken };
}

function askedFor(world: Ec2World, input: DescribeLaunchTemplatesRequest): SimulatedLaunchTemplate[] {
  const { LaunchTemplateIds: ids = [], LaunchTemplateNames: names = [] } = input;
  if (ids.length === 0 && names.length === 0) return [...world.launchTemplates.values()];
  return [
    ...ids.map((id) => findLaunchTemplate(world, { id })),
    ...names.map((name) => findLaunchTemplate(world, { name })),
  ];
}

function describeVersions(
  world: Ec2World,
  input: DescribeLaunchTemplateVersionsRequest,
): { LaunchTemplateVersions: LaunchTemplateVersionShape[]; NextToken: string | undefined } {
  const template = findLaunchTemplate(world, reference(input));
  const versions = input.Versions?.map((version) => findVersion(template, version)) ?? [
    ...[...template.versions.values()].reverse(),
  ];
  const { items, nextToken } = page(versions, {
    nextToken: input.NextToken,
    size: pageSize(input.MaxResults, { default: 200, maximum: 200 }),
    invalidToken: ec2Errors.invalidNextToken,
  });
  return {
    LaunchTemplateVersions: items.map((version) => toVersion(world, template, version)),
    NextToken: nextToken,
  };
}

const creator = (world: Ec2World): string => `arn:aws:iam::${world.accountId}:root`;

function toTemplate(world: Ec2World, template: SimulatedLaunchTemplate): LaunchTemplate {
  return {
    LaunchTemplateId: template.id,
    LaunchTemplateName: template.name,
    CreateTime: new Date(template.createdAt),
    CreatedBy: creator(world),
    DefaultVersionNumber: template.defaultVersion,
    LatestVersionNumber: template.latestVersion,
    Tags: [...template.tags].map(([Key, Value]) => ({ Key, Value })),
  };
}

function toVersion(
  world: Ec2World,
  template: SimulatedLaunchTemplate,
  version: LaunchTemplateVersion,
): LaunchTemplateVersionShape {
  return {
    LaunchTemplateId: template.id,
    LaunchTemplateName: template.name,
    VersionNumber: version.number,
    VersionDescription: version.description,
    CreateTime: new Date(version.createdAt),
    CreatedBy: creator(world),
    DefaultVersion: version.number === template.defaultVersion,
    LaunchTemplateData: toResponse(version.data),
  };
}

/** The content of a version, in the shape of the answer: the fields that the two shapes share. */
function toResponse(data: RequestLaunchTemplateData): ResponseLaunchTemplateData {
  const { ImageId, InstanceType, KeyName, UserData, EbsOptimized, SecurityGroupIds, SecurityGroups } = data;
  return {
    ImageId,
    InstanceType,
    KeyName,
    UserData,
    EbsOptimized,
    SecurityGroupIds,
    SecurityGroups,
    IamInstanceProfile: data.IamInstanceProfile,
    TagSpecifications: data.TagSpecifications,
    PrivateDnsNameOptions: data.PrivateDnsNameOptions,
    MetadataOptions: data.MetadataOptions && { ...data.MetadataOptions },
    BlockDeviceMappings: data.BlockDeviceMappings,
    InstanceRequirements: data.InstanceRequirements,
  };
}
