import type { Command } from 'commander';

export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** Adds kubectl's flags that select a cluster. */
export const withClusterFlags = (command: Command): Command =>
  command
    .option('--kubeconfig <file>', 'the kubeconfig to use; overrides $KUBECONFIG and ~/.kube/config')
    .option('--context <name>', 'the context of the kubeconfig to use');
