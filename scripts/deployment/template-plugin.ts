export interface Resource {
  readonly Type: string;
  readonly Condition?: string;
  readonly DependsOn?: string | readonly string[];
  readonly Properties?: Readonly<Record<string, unknown>>;
}

export type Resources = Readonly<Record<string, Resource>>;

/** The parts of osls that a plugin uses which changes the template; `Custom` are its settings. */
export interface Packaging<Custom> {
  readonly service: {
    readonly custom: Custom;
    readonly provider: { readonly compiledCloudFormationTemplate: { Resources: Resources } };
  };
}

export type TemplateHooks = Readonly<Record<string, () => void>>;

/** The event at which the template is complete, with the functions of every part and the roles that osls itself may make. */
const complete = 'after:aws:package:finalize:mergeCustomProviderResources';

export const whenComplete = (change: () => void): TemplateHooks => ({ [complete]: change });

/** Changes the resources once the template is complete. */
export const changeResources = (
  // osls makes its members after its plugins.
  service: Pick<Packaging<unknown>['service'], 'provider'>,
  change: (resources: Resources) => Resources,
): TemplateHooks =>
  whenComplete(() => {
    const template = service.provider.compiledCloudFormationTemplate;
    template.Resources = change(template.Resources);
  });

/** A value that a condition of deploy/conditions.yml adds. */
export const when = (condition: string, value: unknown) => ({
  'Fn::If': [condition, value, { Ref: 'AWS::NoValue' }],
});
