/**
 * A description of an element: what the views return, and what `patch` makes the document look like.
 *
 * @typedef {string | number | boolean | undefined} Attribute
 * @typedef {{ tag: string, key: string | undefined, attributes: Record<string, Attribute>, children: Child[] }} Element
 * @typedef {{ key: string, view: (...parts: any[]) => Element, parts: readonly unknown[] }} Lazy
 * @typedef {Element | Lazy | string} Child
 * @typedef {Child | number | false | undefined | readonly Content[]} Content
 */

/**
 * Describes an element. `key` tells it from its siblings, so that it stays itself when they come and go. Content that is
 * `false` or `undefined` is nothing.
 *
 * @param {string} tag
 * @param {Record<string, Attribute>} [attributes]
 * @param {...Content} content
 * @returns {Element}
 */
export function element(tag, { key, ...attributes } = {}, ...content) {
  return { tag, key: key === undefined ? undefined : String(key), attributes, children: flatten(content) };
}

/**
 * Describes an element that only depends on its parts: while they are the same, it is neither described nor compared.
 *
 * @template {readonly unknown[]} Parts
 * @param {string} key
 * @param {(...parts: Parts) => Element} view
 * @param {Parts} parts
 * @returns {Lazy}
 */
export const lazy = (key, view, ...parts) => ({ key, view, parts });

/**
 * @param {readonly Content[]} content
 * @returns {Child[]}
 */
function flatten(content) {
  return content.flatMap((one) => {
    if (one === false || one === undefined) return [];
    if (typeof one === 'number') return [String(one)];
    return Array.isArray(one) ? flatten(one) : [/** @type {Child} */ (one)];
  });
}
