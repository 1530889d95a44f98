/** The flavours, in the order of the help. */
export const flavourNames = [
  'script',
  'kubeadm',
  'eks-al2023',
  'eks-al2',
  'bottlerocket',
  'flatcar',
  'fedora-coreos',
  'openshift-3.11',
] as const;

export type FlavourName = (typeof flavourNames)[number];

/** Whose launch template is printed. */
export const launchTemplateFormats = ['aws', 'cloudformation', 'terraform'] as const;
export type LaunchTemplateFormat = (typeof launchTemplateFormats)[number];
