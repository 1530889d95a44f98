/** A plugin of osls that gives every role of the stack the permissions boundary and the path of the stage. */

export interface RoleSettings {
  /** The ARN of a managed policy. Empty: none. */
  readonly permissionsBoundary: string;
  /** With a slash at both ends. */
  readonly path: string;
}

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

type Resources = Readonly<Record<string, Resource>>;

/** The parts of osls that the plugin uses. */
interface Packaging {
  readonly service: {
    readonly custom: { readonly roles: RoleSettings };
    readonly provider: { readonly compiledCloudFormationTemplate: { Resources: Resources } };
  };
}

export default class RoleSettingsPlugin {
  readonly hooks: Readonly<Record<string, () => void>>;

  constructor({ service }: Packaging) {
    this.hooks = {
      // Here the template is complete, with the roles that osls itself may make.
      'after:aws:package:finalize:mergeCustomProviderResources': () => {
        const template = service.provider.compiledCloudFormationTemplate;
        template.Resources = withRoleSettings(template.Resources, service.custom.roles);
      },
    };
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
