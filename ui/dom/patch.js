/**
 * @typedef {import('./element.js').Child} Child
 * @typedef {import('./element.js').Element} Description
 */

/** The last description of each node of the document. @type {WeakMap<Node, Child>} */
const shown = new WeakMap();

/**
 * Makes the children of an element look as described. Nodes that are still described stay in the document, with their
 * focus and what is selected or open in them.
 *
 * @param {globalThis.Element} parent
 * @param {readonly Child[]} children
 */
export function patch(parent, children) {
  const former = new Map();
  for (const node of parent.childNodes) add(former, identityOf(shown.get(node)), node);
  const nodes = children.map(
    (child) => former.get(identityOf(child))?.shift() ?? create(parent.ownerDocument, child),
  );
  for (const left of former.values()) for (const node of left) node.remove();
  place(parent, nodes);
  for (const [index, child] of children.entries()) update(/** @type {Node} */ (nodes[index]), child);
}

/**
 * Moves as few as it can, for what is moved loses its focus.
 *
 * @param {globalThis.Element} parent
 * @param {readonly Node[]} nodes
 */
function place(parent, nodes) {
  let next = parent.firstChild;
  for (const node of nodes) {
    if (node === next) next = node.nextSibling;
    else parent.insertBefore(node, next);
  }
}

/**
 * @param {Map<string, Node[]>} former
 * @param {string} identity
 * @param {Node} node
 */
function add(former, identity, node) {
  const nodes = former.get(identity);
  if (nodes) nodes.push(node);
  else former.set(identity, [node]);
}

/**
 * What of the former children a description can take over: the one with its key or else the next of its tag.
 *
 * @param {Child | undefined} child
 */
function identityOf(child) {
  if (child === undefined) return 'unknown';
  if (typeof child === 'string') return 'text';
  return child.key === undefined && 'tag' in child ? `tag ${child.tag}` : `key ${child.key}`;
}

/**
 * @param {Document} document
 * @param {Child} child
 * @returns {Node}
 */
function create(document, child) {
  if (typeof child === 'string') return document.createTextNode('');
  return document.createElement('tag' in child ? child.tag : child.view(...child.parts).tag);
}

/**
 * @param {Node} node
 * @param {Child} child
 */
function update(node, child) {
  const before = shown.get(node);
  shown.set(node, child);
  if (typeof child === 'string') {
    if (node.nodeValue !== child) node.nodeValue = child;
    return;
  }
  if (isUnchanged(before, child)) return;
  const element = /** @type {globalThis.Element} */ (node);
  const description = 'tag' in child ? child : child.view(...child.parts);
  setAttributes(element, description.attributes);
  patch(element, description.children);
}

/**
 * @param {Child | undefined} before
 * @param {Exclude<Child, string>} child
 */
function isUnchanged(before, child) {
  if (before === undefined || typeof before === 'string' || 'tag' in before || 'tag' in child) return false;
  return child.view === before.view && child.parts.every((part, index) => part === before.parts[index]);
}

/**
 * @param {globalThis.Element} element
 * @param {Description['attributes']} attributes
 */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    const text = value === true ? '' : String(value);
    if (value === undefined || value === false) element.removeAttribute(name);
    else if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
  for (const name of element.getAttributeNames())
    if (!(name in attributes) && !keptByTheReader.includes(name)) element.removeAttribute(name);
}

/** State that the reader changes, not the page: an open `<details>`. */
const keptByTheReader = ['open'];
