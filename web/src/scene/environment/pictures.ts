// Pictures on surfaces, each loaded once.
import { RepeatWrapping, type Texture, TextureLoader } from "three";
import { Shelf } from "../bodies/shelf";

/** Loads pictures by their paths, and keeps them. */
export class Pictures {
  readonly pictures = new Shelf<Texture>((picture) => picture.dispose());
  private readonly loader = new TextureLoader();

  /** @param url makes an address of a path of the scene document */
  constructor(private readonly url: (path: string) => string) {}

  load(path: string): Promise<Texture> {
    return this.pictures.get(path, async () => {
      const texture = await this.loader.loadAsync(this.url(path));
      texture.wrapS = texture.wrapT = RepeatWrapping;
      texture.anisotropy = 4;
      return texture;
    });
  }
}
