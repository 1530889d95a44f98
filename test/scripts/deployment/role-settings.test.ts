import { describe, expect, test } from 'vitest';
import RoleSettingsPlugin, { withRoleSettings } from '../../../scripts/deployment/role-settings.ts';

const boundary = 'arn:aws:iam::123456789012:policy/boundary';
const resources = {
  SweepRole: { Type: 'AWS::IAM::Role', Properties: { RoleName: 'drover-prod-sweep' } },
  BareRole: { Type: 'AWS::IAM::Role' },
  InboxQueue: { Type: 'AWS::SQS::Queue', Properties: { Path: '/own/' } },
};

describe('the settings of roles', () => {
  test('reach every role, and no other resource', () => {
    expect(withRoleSettings(resources, { permissionsBoundary: boundary, path: '/company/' })).toEqual({
      SweepRole: {
        Type: 'AWS::IAM::Role',
        Properties: { RoleName: 'drover-prod-sweep', PermissionsBoundary: boundary, Path: '/company/' },
      },
      BareRole: {
        Type: 'AWS::IAM::Role',
        Properties: { PermissionsBoundary: boundary, Path: '/company/' },
      },
      InboxQueue: resources.InboxQueue,
    });
  });

  test('change no role of a stack that sets none of them', () => {
    const { InboxQueue, SweepRole } = resources;
    const named = { InboxQueue, SweepRole };
    expect(withRoleSettings(named, { permissionsBoundary: '', path: '/' })).toEqual(named);
  });

  test('are set apart from each other', () => {
    const propertiesWith = (permissionsBoundary: string, path: string) =>
      withRoleSettings({ Role: resources.BareRole }, { permissionsBoundary, path })['Role']?.Properties;
    expect(propertiesWith(boundary, '/')).toEqual({ PermissionsBoundary: boundary });
    expect(propertiesWith('', '/company/')).toEqual({ Path: '/company/' });
  });

  test('are set when the template has every role', () => {
    const compiledCloudFormationTemplate = { Resources: {} };
    const plugin = new RoleSettingsPlugin({
      service: {
        custom: { roles: { permissionsBoundary: boundary, path: '/' } },
        provider: { compiledCloudFormationTemplate },
      },
    });
    compiledCloudFormationTemplate.Resources = { BareRole: resources.BareRole };
    plugin.hooks['after:aws:package:finalize:mergeCustomProviderResources']?.();
    expect(compiledCloudFormationTemplate.Resources).toEqual({
      BareRole: { Type: 'AWS::IAM::Role', Properties: { PermissionsBoundary: boundary } },
    });
  });
});
