// SPDX-License-Identifier: MIT
/**
 * Starts the page: its style and its script are a third of their size when they are compressed. The
 * page's policy names what comes out of them, and nothing else has an effect.
 */
(async () => {
  /** Puts into the document what the element of this id holds, as an element of its own. */
  async function unpack(id, tag) {
    const binary = atob(document.getElementById(id).textContent.trim());
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    const node = document.createElement(tag);
    node.textContent = await new Response(stream).text();
    return node;
  }
  try {
    document.head.append(await unpack('style', 'style'));
    const script = await unpack('script', 'script');
    script.setAttribute('type', 'module');
    document.body.append(script);
  } catch (error) {
    document.getElementById('loading').textContent =
        `The page cannot be shown: it needs a browser of 2023 or later (${error.message}).`;
  }
})();
