// Edits as orders, one after the other: each is answered, and its scene shown, before the next one is sent.
import type { Answer, DescriptionView, DocumentView, EditView, OfferView, Order } from "../protocol/types";
import type { Page } from "../ui/panels/page";

/** Longest wait for the scene after an edit [ms]. */
const PATIENCE = 5000;

/** The document of the world file, as the server tells it. */
export class EditSession {
  document: DocumentView | undefined;
  offers: OfferView[] = [];
  private last: Promise<unknown> = Promise.resolve();
  private scenes = 0;
  private wake: (() => void) | undefined;

  /** @param changed called when the document has changed */
  constructor(
    private readonly page: Page,
    private readonly changed: () => void,
  ) {
    page.store.on("scene", () => {
      this.scenes += 1;
      this.wake?.();
    });
  }

  /** Names of vehicles and blocks, in this order. */
  get names(): string[] {
    const { world } = this.page.store;
    return [...(world?.vehicles ?? []), ...(world?.blocks ?? [])].map(({ name }) => name);
  }

  /** Id of the vehicle or block of this name. */
  idOf(name: string | undefined): number | undefined {
    const { world } = this.page.store;
    return [...(world?.vehicles ?? []), ...(world?.blocks ?? [])].find((body) => body.name === name)?.id;
  }

  /** Name of the vehicle or block with this id. */
  nameOf(id: number | undefined): string | undefined {
    const { world } = this.page.store;
    return [...(world?.vehicles ?? []), ...(world?.blocks ?? [])].find((body) => body.id === id)?.name;
  }

  /** Reads the document, and what can be added. */
  async read(): Promise<boolean> {
    return (await this.ask({ do: "document" })) !== undefined;
  }

  /** What of a body can be edited; a text: why nothing. */
  async describe(entity: number): Promise<DescriptionView | string> {
    const answer = await this.page.connection.order({ do: "describe", entity });
    return answer.description ?? answer.error ?? "";
  }

  /** Carries out an edit, which is made once the one before is done. Undefined: it is not done, and a toast has told why. */
  edit(make: () => EditView | undefined, overwrite = false): Promise<Answer | undefined> {
    return this.inTurn(() => {
      const edit = make();
      return edit && { do: "edit", edit, overwrite };
    });
  }

  undo(): Promise<Answer | undefined> {
    return this.inTurn(() => ({ do: "undo" }));
  }

  redo(): Promise<Answer | undefined> {
    return this.inTurn(() => ({ do: "redo" }));
  }

  /** Writes the file, or a new one. */
  async save(file: string | null): Promise<void> {
    await this.last;
    const answer = await this.ask({ do: "save", file });
    if (answer?.document?.file) this.page.say(`Saved: ${answer.document.file}`);
  }

  /** Writes a world to start from to a new file, and edits that one. */
  begin(file: string, discard: boolean): Promise<Answer | undefined> {
    return this.inTurn(() => ({ do: "new", file, discard }));
  }

  private inTurn(make: () => Order | undefined): Promise<Answer | undefined> {
    const turn = this.last.then(async () => {
      const order = make();
      if (order === undefined) return undefined;
      const before = this.scenes;
      const answer = await this.ask(order);
      if (answer !== undefined) await this.sceneAfter(before);
      return answer;
    });
    this.last = turn;
    return turn;
  }

  private async ask(order: Order): Promise<Answer | undefined> {
    const answer = await this.page.connection.order(order);
    if (answer.error !== null) {
      if (this.page.store.current.is === "live") this.page.say(answer.error, "warning");
      return undefined;
    }
    this.document = answer.document ?? this.document;
    this.offers = answer.document?.offers ?? this.offers;
    this.changed();
    if (answer.note !== undefined) this.page.say(answer.note);
    return answer;
  }

  /** Waits until a scene has come after so many. */
  private sceneAfter(count: number): Promise<void> {
    if (this.scenes > count) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.wake?.(), PATIENCE);
      this.wake = () => {
        clearTimeout(timer);
        this.wake = undefined;
        resolve();
      };
    });
  }
}
