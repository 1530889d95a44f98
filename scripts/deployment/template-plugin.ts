export interface Resource {
  readonly Type: string;
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

/** Changes the resources once the template is complete, with the functions of every part and the roles that osls itself may make. */
export const whenComplete = (
  service: Pick<Packaging<unknown>['service'], 'provider'>,
  change: (resources: Resources) => Resources,
): TemplateHooks => ({
  'after:aws:package:finalize:mergeCustomProviderResources': () => {
    // osls makes both after its plugins.
    const template = service.provider.compiledCloudFormationTemplate;
    template.Resources = change(template.Resources);
  },
});
