import {
  type _InstanceType,
  CreateLaunchTemplateCommand,
  CreateLaunchTemplateVersionCommand,
  DeleteLaunchTemplateCommand,
  DescribeLaunchTemplatesCommand,
  type DescribeLaunchTemplatesCommandInput,
  DescribeLaunchTemplateVersionsCommand,
  type Instance,
  ModifyLaunchTemplateCommand,
  type RequestLaunchTemplateData,
} from '@aws-sdk/client-ec2';
import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { newName } from '../support/new-name.ts';
import { type Ec2World, instanceOf, launch } from './world.ts';

const named = (name: string) => ({ name });

/** A new launch template, with what its versions say. */
async function openTemplate({ client, imageId }: Ec2World, data: RequestLaunchTemplateData = {}) {
  const LaunchTemplateName = newName();
  const created = await client.send(
    new CreateLaunchTemplateCommand({
      LaunchTemplateName,
      LaunchTemplateData: { ImageId: imageId, InstanceType: 'm5.large', ...data },
    }),
  );
  const template = created.LaunchTemplate;
  const LaunchTemplateId = template?.LaunchTemplateId;
  const addVersion = async (
    LaunchTemplateData: RequestLaunchTemplateData,
    SourceVersion?: string,
    token?: string,
  ) =>
    (
      await client.send(
        new CreateLaunchTemplateVersionCommand({
          LaunchTemplateId,
          LaunchTemplateData,
          ...(SourceVersion && { SourceVersion }),
          // Unique to this template.
          ...(token && { ClientToken: `${LaunchTemplateName}-${token}` }),
        }),
      )
    ).LaunchTemplateVersion;
  const versions = async (Versions?: string[]) =>
    (
      await client.send(
        new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateId, ...(Versions && { Versions }) }),
      )
    ).LaunchTemplateVersions ?? [];
  return { name: LaunchTemplateName, id: LaunchTemplateId ?? '', template, addVersion, versions };
}

/** Creates the same template with the same token each time. */
function creationOf({ client, imageId }: Ec2World) {
  const LaunchTemplateName = newName();
  return async (data: RequestLaunchTemplateData = {}) =>
    (
      await client.send(
        new CreateLaunchTemplateCommand({
          LaunchTemplateName,
          LaunchTemplateData: { ImageId: imageId, InstanceType: 'm5.large', ...data },
          ClientToken: LaunchTemplateName,
        }),
      )
    ).LaunchTemplate;
}

/** A template of workers, and what launches from it. */
async function openWorkers(world: Ec2World) {
  const Tags = [{ Key: 'role', Value: 'worker' }];
  const template = await openTemplate(world, { TagSpecifications: [{ ResourceType: 'instance', Tags }] });
  const from = (Version: string) => ({
    InstanceType: undefined,
    ImageId: undefined,
    LaunchTemplate: { LaunchTemplateId: template.id, Version },
  });
  return { ...template, from };
}

const tagsOf = ({ Tags = [] }: Instance) => Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value]));

/** Launch templates: the API reference of EC2, and "Error codes for the Amazon EC2 API". */
export const ec2LaunchTemplateCases: Cases<Ec2World> = {
  'a launch template starts with version 1, its default': async (world) => {
    const { id, name, template, versions } = await openTemplate(world);
    expect(id).toMatch(/^lt-[0-9a-f]{17}$/);
    expect(template).toMatchObject({
      LaunchTemplateName: name,
      DefaultVersionNumber: 1,
      LatestVersionNumber: 1,
    });
    expect(await versions()).toMatchObject([
      { VersionNumber: 1, DefaultVersion: true, LaunchTemplateData: { InstanceType: 'm5.large' } },
    ]);
  },
  'versions are numbered, and inherit nothing without a source version': async (world) => {
    const { addVersion, versions } = await openTemplate(world);
    expect((await addVersion({ InstanceType: 'c5.large' }))?.VersionNumber).toBe(2);
    const [two] = await versions(['2']);
    expect(two?.LaunchTemplateData).toMatchObject({ InstanceType: 'c5.large' });
    expect(two?.LaunchTemplateData?.ImageId).toBeUndefined();
  },
  // CreateLaunchTemplateVersion, SourceVersion.
  'a version inherits the settings that it omits from its source version': async (world) => {
    const { addVersion, versions } = await openTemplate(world);
    await addVersion({ InstanceType: 'm5.xlarge' }, '1');
    const [two] = await versions(['2']);
    expect(two?.LaunchTemplateData).toMatchObject({ ImageId: world.imageId, InstanceType: 'm5.xlarge' });
  },
  'the versions $Latest and $Default can be read': async (world) => {
    const { id, addVersion, versions } = await openTemplate(world);
    await addVersion({ InstanceType: 'm5.xlarge' }, '1');
    expect((await versions(['$Latest'])).map(({ VersionNumber }) => VersionNumber)).toEqual([2]);
    expect((await versions(['$Default'])).map(({ VersionNumber }) => VersionNumber)).toEqual([1]);
    const moved = await world.client.send(
      new ModifyLaunchTemplateCommand({ LaunchTemplateId: id, DefaultVersion: '2' }),
    );
    expect(moved.LaunchTemplate?.DefaultVersionNumber).toBe(2);
    expect((await versions(['$Default'])).map(({ VersionNumber }) => VersionNumber)).toEqual([2]);
  },
  'the name of a launch template is unique': async (world) => {
    const { name } = await openTemplate(world);
    await expect(
      world.client.send(
        new CreateLaunchTemplateCommand({
          LaunchTemplateName: name,
          LaunchTemplateData: { InstanceType: 'm5.large' },
        }),
      ),
    ).rejects.toMatchObject(named('InvalidLaunchTemplateName.AlreadyExistsException'));
  },
  // https://docs.aws.amazon.com/ec2/latest/devguide/ec2-api-idempotency.html
  'a launch template is created once for a client token': async (world) => {
    const create = creationOf(world);
    const first = await create();
    expect(await create()).toEqual(first);
    await expect(create({ InstanceType: 'c5.large' })).rejects.toMatchObject(
      named('IdempotentParameterMismatch'),
    );
  },
  'a version of a launch template is created once for a client token': async (world) => {
    const { addVersion, versions } = await openTemplate(world);
    const create = (InstanceType: _InstanceType, ClientToken: string) =>
      addVersion({ InstanceType }, '1', ClientToken);
    const first = await create('m5.xlarge', 'one');
    expect(await create('m5.xlarge', 'one')).toEqual(first);
    await expect(create('c5.large', 'one')).rejects.toMatchObject(named('IdempotentParameterMismatch'));
    expect((await create('m5.xlarge', 'other'))?.VersionNumber).toBe(3);
    expect(await versions()).toHaveLength(3);
  },
  'a client token of a request that failed may be used again': async (world) => {
    const { addVersion } = await openTemplate(world);
    await expect(addVersion({ InstanceType: 'm5.xlarge' }, '9', 'failed')).rejects.toMatchObject(
      named('InvalidLaunchTemplateId.VersionNotFound'),
    );
    expect((await addVersion({ InstanceType: 'm5.xlarge' }, '1', 'failed'))?.VersionNumber).toBe(2);
  },
  'launch templates can be found by id and by name': async (world) => {
    const { id, name } = await openTemplate(world);
    const by = async (input: DescribeLaunchTemplatesCommandInput) =>
      (await world.client.send(new DescribeLaunchTemplatesCommand(input))).LaunchTemplates?.map(
        ({ LaunchTemplateId }) => LaunchTemplateId,
      );
    expect(await by({ LaunchTemplateIds: [id] })).toEqual([id]);
    expect(await by({ LaunchTemplateNames: [name] })).toEqual([id]);
    expect(await by({ Filters: [{ Name: 'launch-template-name', Values: [name] }] })).toEqual([id]);
  },
  'a missing launch template is refused by id': async ({ client }) => {
    const LaunchTemplateIds = ['lt-0123456789abcdef0'];
    await expect(
      client.send(new DescribeLaunchTemplatesCommand({ LaunchTemplateIds })),
    ).rejects.toMatchObject(named('InvalidLaunchTemplateId.NotFound'));
  },
  'a missing launch template is refused by name': async ({ client }) => {
    await expect(
      client.send(new DescribeLaunchTemplatesCommand({ LaunchTemplateNames: [newName()] })),
    ).rejects.toMatchObject(named('InvalidLaunchTemplateName.NotFoundException'));
  },
  'a launch template id with a wrong format is malformed': async ({ client }) => {
    await expect(
      client.send(new DescribeLaunchTemplatesCommand({ LaunchTemplateIds: ['lt-mine'] })),
    ).rejects.toMatchObject(named('InvalidLaunchTemplateId.Malformed'));
  },
  'a missing version of a launch template is refused': async (world) => {
    const { id } = await openTemplate(world);
    await expect(
      launch(world, { LaunchTemplate: { LaunchTemplateId: id, Version: '9' } }),
    ).rejects.toMatchObject(named('InvalidLaunchTemplateId.VersionNotFound'));
  },
  // RunInstances: "Any parameters that you specify in RunInstances override the same parameters in the launch template."
  'an instance takes its settings from a launch template, unless the call overrides them': async (world) => {
    const { from } = await openWorkers(world);
    const instance = await instanceOf(world, (await launch(world, from('1'))).id);
    expect(instance).toMatchObject({ ImageId: world.imageId, InstanceType: 'm5.large' });
    expect(tagsOf(instance)).toMatchObject({ role: 'worker' });
    const other = await launch(world, { ...from('1'), InstanceType: 'c5.large' });
    expect((await instanceOf(world, other.id)).InstanceType).toBe('c5.large');
  },
  'an instance has tags with its launch template and version': async (world) => {
    const { id, addVersion, from } = await openWorkers(world);
    await addVersion({ InstanceType: 'm5.xlarge' }, '1');
    const instance = await instanceOf(world, (await launch(world, from('$Latest'))).id);
    expect(instance.InstanceType).toBe('m5.xlarge');
    expect(tagsOf(instance)).toMatchObject({
      'aws:ec2launchtemplate:id': id,
      'aws:ec2launchtemplate:version': '2',
    });
  },
  'a deleted launch template cannot launch instances': async (world) => {
    const { id } = await openTemplate(world);
    await world.client.send(new DeleteLaunchTemplateCommand({ LaunchTemplateId: id }));
    await expect(launch(world, { LaunchTemplate: { LaunchTemplateId: id } })).rejects.toMatchObject(
      named('InvalidLaunchTemplateId.NotFound'),
    );
  },
};
