/** A plugin of osls that gives every role of the stack the permissions boundary and the path of the stage. */
import { changeResources, type Packaging, type Resources, type TemplateHooks } from './template-plugin.ts';

export interface RoleSettings {
  /** The ARN of a managed policy. Empty: none. */
  readonly permissionsBoundary: string;
  /** With a slash at both ends. */
  readonly path: string;
}

export default class RoleSettingsPlugin {
  readonly hooks: TemplateHooks;

  constructor({ service }: Packaging<{ readonly roles: RoleSettings }>) {
    this.hooks = changeResources(service, (resources) => withRoleSettings(resources, service.custom.roles));
  }
}

/**
 * The resources of a template, the roles among them with these settings. The path `/` is left out, because CloudFormation may take a new
 * property of that kind for a new role, and does not replace one that has a name. Pure.
 */
export function withRoleSettings(
  resources: Resources,
  { permissionsBoundary, path }: RoleSettings,
): Resources {
  const settings = {
    ...(path !== '/' && { Path: path }),
    ...(permissionsBoundary !== '' && { PermissionsBoundary: permissionsBoundary }),
  };
  return Object.fromEntries(
    Object.entries(resources).map(([name, resource]) => [
      name,
      resource.Type === 'AWS::IAM::Role'
        ? { ...resource, Properties: { ...resource.Properties, ...settings } }
        : resource,
    ]),
  );
}
