/**
 * Where an instance is on its way, told from its lifecycle state.
 *
 * @typedef {'pending' | 'serving' | 'leaving' | 'aside'} Stage
 */

/**
 * `aside`: Standby, Detached and a warm pool's, which neither serve nor leave.
 *
 * @param {string} lifecycleState
 * @returns {Stage}
 */
export function stageOf(lifecycleState) {
  if (lifecycleState === 'InService') return 'serving';
  if (lifecycleState.startsWith('Pending')) return 'pending';
  if (lifecycleState.startsWith('Terminating')) return 'leaving';
  return 'aside';
}
