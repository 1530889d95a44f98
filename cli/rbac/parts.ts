/** The parts of the manifests that a cluster may not need, with the names of their objects. */
export const parts = {
  bootstrap: ['drover-bootstrap-tokens', 'drover-node-bootstrapper'],
  certificates: ['drover-certificates'],
  identity: ['drover-identity-mapping'],
} as const;

export type Part = keyof typeof parts;
