/**
 * Does what a button asks for, and says what came of it.
 *
 * @param {Record<string, unknown>} action
 * @returns {Promise<{ ok: boolean, words: string }>}
 */
export async function act(action) {
  try {
    const response = await fetch('api/actions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action),
    });
    const answer = await response.json();
    return response.ok ? { ok: true, words: answer.done } : { ok: false, words: answer.detail };
  } catch (error) {
    return {
      ok: false,
      words: `The sandbox did not answer: ${String(error)}`,
    };
  }
}

/**
 * What a button stands for: its `data-` attributes, the number as a number.
 *
 * @param {{ readonly [name: string]: string | undefined }} dataset
 */
export function actionOf({ action, instanceId, autoScalingGroupName, desiredCapacity }) {
  return action === 'scale'
    ? { action, autoScalingGroupName, desiredCapacity: Number(desiredCapacity) }
    : { action, instanceId };
}
